import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeScene, type Talk } from "./scene.ts";

const MINUTES = 60_000;
const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

/** The demo creates its repository in TMPDIR. */
function startDemo(...args: readonly string[]): Talk & { readonly place: string } {
  const place = mkdtempSync(join(tmpdir(), "signalbox-stage-"));
  places.push(place);
  return { ...makeScene({ env: { TMPDIR: place } }).start("demo", ...args), place };
}

/** Node stores its compile cache there too, which is not part of the demo. */
const listDemoFiles = (place: string): string[] => globSync(join(place, "signalbox-*"));

/** Processes that have the folder in their arguments or environment. */
function listProcesses(place: string): string[] {
  return globSync("/proc/[0-9]*/{cmdline,environ}").filter((file) => {
    try {
      return readFileSync(file, "latin1").includes(place);
    } catch {
      return false;
    }
  });
}

test("without a terminal the demo prints plain lines of at most 100 columns", { timeout: 3 * MINUTES }, async () => {
  const demo = startDemo();
  const { exit, out, err } = await demo.ended;
  expect(exit, err).toBe(0);
  const lines = out.split("\n");
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => [...line].length > 100)).toEqual([]);
  expect(out).not.toContain("\u001b");
  expect(out).toMatch(/orchestration: 0 tokens, \d+ ms/);
  // The demo's repository is removed, so the end offers only commands that work elsewhere.
  const offered = lines.slice(lines.findLastIndex((line) => line.startsWith("✓ done"))).join("\n");
  expect([...offered.matchAll(/signalbox ([a-z]+)/g)].map(([, name]) => name)).toEqual(["init", "ui"]);
  expect(listDemoFiles(demo.place)).toEqual([]);
  expect(listProcesses(demo.place)).toEqual([]);
});

test("Ctrl-C while agents run stops them and removes all demo files", { timeout: 3 * MINUTES }, async () => {
  const demo = startDemo("--json");
  await demo.heard("agent.started");
  // The agents must be visible now, or finding none afterwards proves nothing.
  expect(listProcesses(demo.place).length > 0).toBe(process.platform === "linux");
  demo.kill("SIGINT");
  expect((await demo.ended).exit).toBe(130);
  expect(listDemoFiles(demo.place)).toEqual([]);
  expect(listProcesses(demo.place)).toEqual([]);
});

test("a signal received between two engines stops the remaining agents", {
  timeout: 3 * MINUTES,
}, async () => {
  const demo = startDemo("--json");
  await demo.heard("demo.killed");
  demo.kill("SIGTERM");
  const { exit, events } = await demo.ended;
  expect(exit).toBe(143);
  expect(events.some((event) => event.type === "engine.started")).toBe(true);
  expect(listDemoFiles(demo.place)).toEqual([]);
  expect(listProcesses(demo.place)).toEqual([]);
});
