import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { brokenSources, type Mutant } from "../crash/broken.ts";
import { often } from "../often.ts";
import type { Tally } from "./tally.ts";

const run = promisify(execFile);
const SCRIPT = "test/simulator/main.ts";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEDULES = Number(process.env["SIGNALBOX_SCHEDULES"] ?? often(500, 10_000));

type SimulatorOutput = { readonly stdout: string; readonly code: number };

async function runSimulator(root: string, ...args: readonly string[]): Promise<SimulatorOutput> {
  const options = { maxBuffer: 1 << 28 };
  return run(process.execPath, [join(root, SCRIPT), ...args], options).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => {
      if (!error.stdout) throw new Error(error.stderr);
      return error;
    },
  );
}

describe("simulated schedules", () => {
  test("no schedule violates an invariant, and every phase of every pipeline is reached", {
    timeout: 1_800_000,
  }, async () => {
    const { stdout, code } = await runSimulator(ROOT, "--count", String(SCHEDULES));
    console.log(stdout);
    expect(stdout).toContain(`${SCHEDULES} schedules in`);
    expect(stdout).not.toContain("violated");
    expect(stdout).not.toContain("never reached");
    expect(code).toBe(0);
  });

  test("the same seed gives the same trace", { timeout: 300_000 }, async () => {
    const args = ["--json", "--from", "50000", "--count", "60"];
    const [once, again] = await Promise.all([runSimulator(ROOT, ...args), runSimulator(ROOT, ...args)]);
    // Written by the script in this format.
    const tallies = [once, again].map(({ stdout }) => JSON.parse(stdout) as Tally);
    expect(Object.keys(tallies[0]?.traces ?? {})).toHaveLength(60);
    expect(new Set(Object.values(tallies[0]?.traces ?? {})).size).toBe(60);
    expect(tallies[1]?.traces).toEqual(tallies[0]?.traces);
  });

  const breaks: readonly (Mutant & { readonly noticed: string })[] = [
    {
      what: "the fence check",
      noticed: "onlyTheOwnerAppends",
      file: "hosts/errors.ts",
      from: "  if (held.fence === lease.fence && held.owner === lease.owner) return;",
      to: "  if (held) return;",
    },
    {
      what: "the intent before an attempt",
      noticed: "intentsComeFirst",
      file: "engine/verbs/dispatch.ts",
      from: "    await run.recorder.durable();\n    const result = await run.effect",
      to: "    const result = await run.effect",
    },
    {
      what: "the comparison of an answer with what was shown",
      noticed: "approvalsAreDecidedOnce",
      file: "engine/drive/signals.ts",
      from: "letter.hash === question.hash && ",
      to: "",
    },
    {
      what: "the cap on agents at work",
      noticed: "theCapHolds",
      file: "engine/semaphore.ts",
      from: "if (free > 0) free -= 1;",
      to: "if (free > -1000) free -= 1;",
    },
    {
      what: "the stickiness of an end",
      noticed: "endsAreSticky",
      file: "engine/drive/drive.ts",
      from: "    if (ended) return",
      to: "    if (ended && history.records.length === 0) return",
    },
  ];
  for (const change of breaks) {
    test(`it finds a violation when ${change.what} is removed, and prints how to reproduce it`, {
      timeout: 300_000,
    }, async () => {
      const broken = brokenSources(change);
      try {
        const { stdout, code } = await runSimulator(
          broken.dir,
          "--count",
          "500",
          "--jobs",
          "1",
          "--until",
          change.noticed,
        );
        expect(stdout).toContain(`violated: ${change.noticed}`);
        expect(code).toBe(1);
        const seed = /--seed (\d+) --pipeline (\w+) --trace/.exec(stdout);
        const again = await runSimulator(broken.dir, "--seed", seed?.[1] ?? "", "--pipeline", seed?.[2] ?? "");
        expect(again.stdout).toContain(`violated: ${change.noticed}`);
      } finally {
        broken.remove();
      }
    });
  }
});
