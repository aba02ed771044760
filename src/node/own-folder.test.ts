import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeOwnFolder } from "./own-folder.ts";

test("a folder of a repository that was moved away is not created at the old location", () => {
  const root = mkdtempSync(join(tmpdir(), "own-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const spool = join(root, "repo", ".signalbox", "runs", "r", "spool", "1");
  mkdirSync(join(root, "repo", ".signalbox"), { recursive: true });
  makeOwnFolder(spool);
  makeOwnFolder(spool);
  expect(statSync(spool).mode & 0o777).toBe(0o700);
  renameSync(join(root, "repo"), join(root, "moved"));
  expect(() => makeOwnFolder(spool)).toThrow(".signalbox was removed");
  expect(existsSync(join(root, "repo"))).toBe(false);
});

test("a folder elsewhere is created with its parents", () => {
  const root = mkdtempSync(join(tmpdir(), "own-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  makeOwnFolder(join(root, "a", "b", "c"));
  expect(existsSync(join(root, "a", "b", "c"))).toBe(true);
});
