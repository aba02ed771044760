import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRealWorld } from "../../real-world.ts";
import { writeUploads } from "../uploads.ts";
import { createFileSender } from "./send-files.ts";

const dir = mkdtempSync(join(tmpdir(), "signalbox-files-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Stores the newest upload per path with its time. */
function spoolTable() {
  const kept = new Map<string, { bytes: Uint8Array; at: number }>();
  let at = 1_000;
  return {
    kept,
    put: async (_run: string, path: string, bytes: Uint8Array) => {
      at += 1_000;
      kept.set(path, { bytes, at });
    },
    list: async () => [...kept].map(([path, { bytes, at: when }]) => ({ path, bytes: bytes.byteLength, at: when })),
    get: async (_run: string, path: string) => kept.get(path)?.bytes,
  };
}

const world = {
  ...createRealWorld({}),
  redact: (text: string) => text.replaceAll("secret-of-this-machine", "[redacted]"),
};

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test("files of a run are uploaded without secrets, written elsewhere, and not sent back", async () => {
  const spools = spoolTable();
  const [here, there] = [join(dir, "here"), join(dir, "there")];
  const sender = createFileSender({ spools, runs: here, world, log: () => undefined });
  await sender.during("r", async () => {
    put(join(here, "r/spool/one/stdout"), "it says secret-of-this-machine\n");
    put(join(here, "r/script/0000.yaml"), "agents: []\n");
  });
  expect([...spools.kept.keys()]).toEqual(["spool/one/stdout"]);
  const other = createFileSender({ spools, runs: there, world, log: () => undefined });
  await other.bring("r", () => true);
  expect(readFileSync(join(there, "r/spool/one/stdout"), "utf8")).toBe("it says [redacted]\n");
  const before = spools.kept.get("spool/one/stdout")?.at;
  await other.during("r", async () => undefined);
  expect(spools.kept.get("spool/one/stdout")?.at).toBe(before);
});

test("a path outside the run's folder is not written", async () => {
  const spools = spoolTable();
  await spools.put("r", "../../stolen", Buffer.from("x"));
  expect(await writeUploads({ spools, runs: join(dir, "safe"), world }, "r")).toEqual([]);
});

test("an unavailable store does not stop the work", async () => {
  const said: string[] = [];
  const away = { ...spoolTable(), put: () => Promise.reject(new Error("away")) };
  const runs = join(dir, "away");
  const sender = createFileSender({ spools: away, runs, world, log: (line) => said.push(line) });
  put(join(runs, "r/spool/one/stdout"), "text");
  expect(await sender.during("r", async () => "done")).toBe("done");
  expect(said).toEqual(["files of r were not uploaded: Error: away"]);
});
