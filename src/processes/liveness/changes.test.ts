import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { traceChanges } from "./changes.ts";

let dir: string;
const at = (...names: string[]) => join(dir, ...names);
const trace = () => traceChanges(dir, { except: at("spool") });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "signalbox-changes-"));
  for (const folder of ["src/deep/deeper", "spool", ".git/objects"]) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("src/deep/deeper/a.o"), "1");
  writeFileSync(at("spool/stdout"), "");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** File times have a resolution of some milliseconds, so changes within one are indistinguishable. */
async function changes(change: () => void): Promise<boolean> {
  const before = await trace();
  for (let n = 0; n < 100; n += 1) {
    change();
    if ((await trace()) !== before) return true;
  }
  return false;
}

test.each([
  ["a nested file grows", () => appendFileSync(at("src/deep/deeper/a.o"), "2")],
  ["a file is added", () => writeFileSync(at("b.txt"), "")],
  ["a file is removed", () => rmSync(at("src/deep/deeper/a.o"), { force: true })],
])("the trace of a folder changes after %s", async (_what, change) => {
  expect(await changes(change)).toBe(true);
});

test.each([
  ["nothing happens", () => undefined],
  ["its files are read", () => void readFileSync(at("src/deep/deeper/a.o"))],
  ["git writes to its own folder", () => writeFileSync(at(".git/objects/x"), "x")],
  ["its output is stored inside", () => appendFileSync(at("spool/stdout"), "x")],
])("the trace of a folder does not change after %s", async (_what, change) => {
  expect(await changes(change)).toBe(false);
});

test("a trace covers a limited number of entries, upper ones first", async () => {
  const [before, shallow] = [await trace(), () => traceChanges(dir, { except: "", most: 3 })];
  const upper = await shallow();
  while ((await trace()) === before) appendFileSync(at("src/deep/deeper/a.o"), "2");
  expect(await shallow()).toBe(upper);
});

test("a link out of the folder is not followed, and a missing folder counts as empty", async () => {
  symlinkSync("..", at("src/around"));
  expect(await trace()).toMatch(/^\d+ /);
  rmSync(dir, { recursive: true });
  expect(await trace()).toBe("0 0");
});
