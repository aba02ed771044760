import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOutside, readOutsideJson } from "./outside-file.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "outside-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test.each<[string, (file: string) => void, string]>([
  ["a pipe", (file) => execFileSync("mkfifo", [file]), "it is not a regular file"],
  ["a folder", (file) => mkdirSync(file), "it is not a regular file"],
  ["a link to a device", (file) => symlinkSync("/dev/zero", file), "it is a link"],
  ["an endless file", (file) => endless(file), "it is larger than 8 bytes"],
  ["a file that is one byte too large", (file) => writeFileSync(file, "123456789"), "it is larger than 8 bytes"],
])("%s is not read, and the result says why", (_what, make, problem) => {
  const file = join(folder(), "x");
  make(file);
  expect(readOutside(file, 8)).toEqual({ ok: false, gone: false, problem });
});

test("a regular file is read completely, and a missing file is reported as gone", () => {
  const file = join(folder(), "x");
  expect(readOutside(file, 8)).toMatchObject({ ok: false, gone: true });
  writeFileSync(file, "12345678");
  expect(readOutside(file, 8)).toMatchObject({ ok: true, text: "12345678" });
});

test("incomplete JSON is reported as a problem instead of an exception", () => {
  const file = join(folder(), "x");
  writeFileSync(file, '{"by":');
  expect(readOutsideJson(file, 100)).toMatchObject({
    ok: false,
    gone: false,
    problem: expect.stringContaining("JSON"),
  });
  writeFileSync(file, '{"by":"w"}');
  expect(readOutsideJson(file, 100)).toEqual({ ok: true, value: { by: "w" } });
});

function endless(file: string): void {
  writeFileSync(file, "");
  truncateSync(file, 2 ** 40);
}
