import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readInCheckout, readThroughLinks } from "./checkout-file.ts";

function checkout(): string {
  const dir = mkdtempSync(join(tmpdir(), "checkout-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "top/src"), { recursive: true });
  writeFileSync(join(dir, "outside"), "secret");
  writeFileSync(join(dir, "top/src/inside"), "text");
  return join(dir, "top");
}

test.each<[string, (file: string) => void, string]>([
  ["a pipe", (file) => execFileSync("mkfifo", [file]), "it is not a regular file"],
  ["a link to a device", (file) => symlinkSync("/dev/zero", file), "it is a link to a file outside the repository"],
  [
    "a link to a file outside",
    (file) => symlinkSync("../outside", file),
    "it is a link to a file outside the repository",
  ],
  ["a link to nothing", (file) => symlinkSync("src/none", file), "it is a dangling link"],
  ["a link to itself", (file) => symlinkSync("x", file), "it is a dangling link"],
  ["a larger file", (file) => writeFileSync(file, "123456789"), "it is larger than 8 bytes"],
])("%s is not read, and the result says why", (_what, make, problem) => {
  const top = checkout();
  make(join(top, "x"));
  expect(readInCheckout(top, "x", 8)).toEqual({ ok: false, gone: false, problem });
});

test("a file behind a link to a folder outside the checkout is not read", () => {
  const top = checkout();
  symlinkSync("..", join(top, "up"));
  expect(readInCheckout(top, "up/outside")).toMatchObject({
    ok: false,
    problem: expect.stringContaining("outside the repository"),
  });
});

test("files and links inside the checkout are read, and a missing file is reported as gone", () => {
  const top = checkout();
  symlinkSync("src/inside", join(top, "x"));
  expect(readInCheckout(top, "src/inside")).toMatchObject({ ok: true, text: "text" });
  expect(readInCheckout(top, "x")).toMatchObject({ ok: true, text: "text" });
  expect(readInCheckout(top, "src/none")).toMatchObject({ ok: false, gone: true });
  expect(readInCheckout(top, "src/inside/none")).toMatchObject({ ok: false, gone: true });
});

test("readThroughLinks follows links to any regular file", () => {
  const top = checkout();
  symlinkSync("../outside", join(top, "x"));
  symlinkSync("/dev/zero", join(top, "y"));
  expect(readThroughLinks(join(top, "x"))).toMatchObject({ ok: true, text: "secret" });
  expect(readThroughLinks(join(top, "y"))).toMatchObject({ ok: false, problem: "it is not a regular file" });
});
