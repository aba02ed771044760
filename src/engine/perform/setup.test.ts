import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { realWorld } from "../../cli/world.ts";
import type { CheckedCommand, SetupCommand } from "../../core/effect.ts";
import { prepare } from "./setup.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-setup-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const world = realWorld({});

const SETUP: SetupCommand = { run: "install", lockFile: "lock" };
type Checkout = { readonly dir: string; readonly installs: () => number; ready(): Promise<CheckedCommand | undefined> };
type Made = { readonly cache: string; readonly lock?: string; readonly setup?: SetupCommand; readonly runs?: string };

/** A fresh checkout whose set-up puts a folder beside the tree's files, and counts how often it was run. */
function checkout({ cache, lock, setup = SETUP, runs = "/runs" }: Made, exitCode = 0): Checkout {
  const dir = mkdtempSync(join(root, "checkout-"));
  writeFileSync(join(dir, "own"), "of the tree\n");
  if (lock !== undefined) writeFileSync(join(dir, "lock"), lock);
  let installs = 0;
  const run = async (): Promise<CheckedCommand> => {
    installs += 1;
    mkdirSync(join(dir, "modules"));
    writeFileSync(join(dir, "modules", "package"), `for ${lock}\n`);
    return { name: "set-up", command: setup.run, exitCode, ms: 1, digest: "", snippet: "" };
  };
  return { dir, installs: () => installs, ready: () => prepare({ dir, setup, cache, runs, world, run }) };
}

const newCache = (): string => mkdtempSync(join(root, "cache-"));

/** Whether a second checkout had to be set up after a first one. */
async function isRunAgain(first: Made, second: Made): Promise<boolean> {
  await checkout(first).ready();
  const again = checkout(second);
  expect(await again.ready()).toBeUndefined();
  expect(readFileSync(join(again.dir, "modules", "package"), "utf8")).toBe(`for ${second.lock}\n`);
  return again.installs() === 1;
}

test("a set-up runs once for all checkouts with the same lock file", async () => {
  const cache = newCache();
  expect(await isRunAgain({ cache, lock: "a" }, { cache, lock: "a" })).toBe(false);
});

test("another lock file, another command and another repository are set up for themselves", async () => {
  const cache = newCache();
  const [lock, first] = ["a", { cache, lock: "a" }];
  expect(await isRunAgain(first, { cache, lock: "b" })).toBe(true);
  expect(await isRunAgain(first, { cache, lock, setup: { ...SETUP, run: "install --more" } })).toBe(true);
  expect(await isRunAgain(first, { cache, lock, runs: "/other/runs" })).toBe(true);
});

test("without a lock file nothing is kept", async () => {
  const cache = newCache();
  expect(await isRunAgain({ cache }, { cache })).toBe(true);
  expect(existsSync(join(cache, "setups"))).toBe(false);
});

test("a set-up that failed is told and not kept", async () => {
  const cache = newCache();
  expect(await checkout({ cache, lock: "a" }, 1).ready()).toMatchObject({ exitCode: 1 });
  const again = checkout({ cache, lock: "a" });
  await again.ready();
  expect(again.installs()).toBe(1);
});

test("what a check does to its own copy reaches no other, and what the tree has is never covered", async () => {
  const cache = newCache();
  const first = checkout({ cache, lock: "a" });
  await first.ready();
  writeFileSync(join(first.dir, "modules", "package"), "tampered\n");
  const second = checkout({ cache, lock: "a" });
  mkdirSync(join(second.dir, "modules"));
  writeFileSync(join(second.dir, "modules", "package"), "the tree's own\n");
  await second.ready();
  expect(readFileSync(join(second.dir, "modules", "package"), "utf8")).toBe("the tree's own\n");
  const third = checkout({ cache, lock: "a" });
  await third.ready();
  expect(readFileSync(join(third.dir, "modules", "package"), "utf8")).toBe("for a\n");
});

test("of several checkouts that are set up at once one is kept, whole", async () => {
  const cache = newCache();
  const all = Array.from({ length: 8 }, () => checkout({ cache, lock: "a" }));
  await Promise.all(all.map((each) => each.ready()));
  expect(readdirSync(join(cache, "setups"))).toHaveLength(1);
  const later = checkout({ cache, lock: "a" });
  await later.ready();
  expect(later.installs()).toBe(0);
});
