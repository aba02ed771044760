import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { findSandbox } from "./sandbox.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-descriptors-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const HEIR = fileURLToPath(new URL("../fixtures/heir.ts", import.meta.url));
const best = await findSandbox();
const linux = process.platform === "linux";

/** Descriptor numbers for each kind of resource, far enough apart that Node does not mark them itself. */
const NUMBERS = Array.from({ length: 40 }, (_, at) => 21 + at * 6);

type Heard = { given: number[]; sandbox: string; code: number; out: string; err: string };

/** Starts a process that inherits forty descriptors and lets it start a command. */
async function heir(mode: "auto" | "off", script: string): Promise<Heard> {
  const kept = join(root, "kept.txt");
  writeFileSync(kept, "private\n");
  const opened = [openSync(kept, "r"), openSync(kept, "r+"), openSync(root, "r"), openSync("/", "r")];
  opened.push(openSync("/dev/null", "r"), openSync("/dev/ptmx", "r+"));
  const kinds: (number | "pipe")[] = [...opened, "pipe"];
  const stdio: (number | "pipe" | "ignore")[] = ["ignore", "pipe", "pipe"];
  for (const [at, number] of NUMBERS.entries()) {
    while (stdio.length < number) stdio.push("ignore");
    stdio.push(kinds[at % kinds.length] ?? "pipe");
  }
  const child = spawn(process.execPath, [HEIR, mode, root, script], { stdio: stdio as StdioOptions });
  for (const number of opened) closeSync(number);
  const [out, err] = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  if (child.exitCode === null) await once(child, "close");
  if (!out) throw new Error(err);
  return JSON.parse(out) as Heard;
}

/** Every descriptor up to 300 that the command itself can access. */
const LOOK = "n=3; while [ $n -le 300 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n+1)); done; :";

describe("inherited descriptors", () => {
  it.for(["off", "auto"] as const)("no command gets any of forty descriptors, sandbox %s", async (mode, { skip }) => {
    skip(!linux, "elsewhere the system closes them");
    const { given, code, out, sandbox } = await heir(mode, LOOK);
    expect(given).toEqual(expect.arrayContaining(NUMBERS));
    expect({ code, out, sandbox }).toEqual({ code: 0, out: "", sandbox: mode === "off" ? "none" : best.name });
  });

  it("an open folder gives no way out of a sandbox", async ({ skip }) => {
    skip(!best.confines.files, best.summary);
    const tries = NUMBERS.map((number) => `echo broken > /proc/self/fd/${number}/out.txt`).join("; ");
    const { out } = await heir("auto", `( ${tries} ) 2> /dev/null; ls ${root}/out.txt 2>&1`);
    expect(out).toContain("No such file");
  });

  it("a command after closing them starts like any other: its options, its signals, its exit code", async ({
    skip,
  }) => {
    skip(!linux, "elsewhere nothing stands before it");
    const { code, out, err } = await heir("off", 'echo "$NODE_OPTIONS"; grep SigIgn /proc/self/status; exit 173');
    const [options, ignored = ""] = out.split("\n");
    expect({ code, options, err }).toEqual({ code: 173, options: "--no-such-option-of-node", err: "" });
    const brokenPipe = 1n << 12n;
    expect(BigInt(`0x${ignored.split(/\s+/)[1]}`) & brokenPipe).toBe(0n);
  });
});
