import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { checkSoundness } from "./soundness.ts";

function database(): string {
  const folder = mkdtempSync(join(tmpdir(), "soundness-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "some.db");
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  db.close();
  return file;
}

test("a readable database is sound", () => {
  expect(checkSoundness(database())).toEqual({ is: "sound" });
});

test("a database is sound even if nothing can be written next to it", () => {
  const file = database();
  mkdirSync(`${file}-shm`);
  expect(checkSoundness(file)).toEqual({ is: "sound" });
});

test("a file that is no database is damaged", () => {
  const file = database();
  writeFileSync(file, "not a database, but long enough to be taken for the head of one".repeat(20));
  expect(checkSoundness(file)).toMatchObject({ is: "damaged" });
});

test("a missing database is not judged", () => {
  expect(checkSoundness(`${database()}-missing`)).toMatchObject({ is: "unseen" });
});
