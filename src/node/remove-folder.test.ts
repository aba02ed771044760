import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "./remove-folder.ts";

function folder(): string {
  const top = mkdtempSync(join(tmpdir(), "remove-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, "kept"));
  mkdirSync(join(top, "gone"));
  symlinkSync(join(top, "kept"), join(top, "gone", "link"));
  return top;
}

test("folders deeper than the path limit are removed", async () => {
  const top = folder();
  // Creates the folders one level at a time, like a person would.
  const nest =
    'name=$(printf "%0200d" 0); i=0; while [ $i -lt 150 ]; do mkdir $name x; cd -P $name; i=$((i+1)); done; : > file';
  execFileSync("bash", ["-c", nest], { cwd: join(top, "gone") });
  await removeFolder(join(top, "gone"));
  expect(existsSync(join(top, "gone"))).toBe(false);
  expect(existsSync(join(top, "kept"))).toBe(true);
});

test("folders without read permission are removed", async () => {
  const top = folder();
  mkdirSync(join(top, "gone", "a", "b"), { recursive: true });
  writeFileSync(join(top, "gone", "a", "b", "x"), "");
  chmodSync(join(top, "gone", "a", "b"), 0);
  chmodSync(join(top, "gone", "a"), 0);
  await removeFolder(join(top, "gone"));
  expect(existsSync(join(top, "gone"))).toBe(false);
});

test("a missing folder is ignored, and a link is not followed", async () => {
  const top = folder();
  await removeFolder(join(top, "nothing"));
  await removeFolder(join(top, "gone", "link"));
  expect(existsSync(join(top, "kept"))).toBe(true);
});
