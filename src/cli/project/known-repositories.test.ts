import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRealWorld } from "../real-world.ts";
import { listKnownRepositories, noteRepository } from "./known-repositories.ts";

const world = createRealWorld({});
const before = process.env["XDG_STATE_HOME"];
let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "signalbox-known-"));
  process.env["XDG_STATE_HOME"] = join(home, "state");
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
});

function repository(name: string): string {
  mkdirSync(join(home, name, ".git"), { recursive: true });
  return join(home, name);
}

const folder = (): string => join(home, "state/signalbox/repositories");

test("repositories are recorded once by concurrent writers, in private files", async () => {
  const [a, b] = [repository("a"), repository("b")];
  await Promise.all([a, b, a, a, b].map((top) => noteRepository(top, world)));
  expect((await listKnownRepositories(world)).map(({ name, top }) => [name, top])).toEqual([
    ["a", a],
    ["b", b],
  ]);
  const files = readdirSync(folder());
  expect(files).toHaveLength(2);
  for (const file of files) expect(statSync(join(folder(), file)).mode & 0o777).toBe(0o600);
});

test("records of missing repositories and malformed records are removed", async () => {
  const a = repository("a");
  await noteRepository(a, world);
  writeFileSync(join(folder(), "broken.json"), "{");
  rmSync(a, { recursive: true });
  expect(await listKnownRepositories(world)).toEqual([]);
  expect(readdirSync(folder())).toEqual([]);
});

test("a failed write is ignored", async () => {
  writeFileSync(join(home, "state"), "a file, not a folder");
  await noteRepository(repository("a"), world);
  expect(await listKnownRepositories(world)).toEqual([]);
});
