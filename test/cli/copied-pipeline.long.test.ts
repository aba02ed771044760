import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { runOf, type Scene, sceneOf, signalbox, verdictOn } from "../crash/real-run.ts";
import { TRIES_ALL } from "../often.ts";
import type { RealWorld } from "../worlds/world.ts";

const WORLDS = fileURLToPath(new URL("../worlds/", import.meta.url));
const names = readdirSync(WORLDS).filter((name) => name.endsWith(".ts") && name !== "world.ts");
// Each file in this folder exports a `world`.
const worlds = await Promise.all(
  names.map(async (name) => ((await import(join(WORLDS, name))) as { world: RealWorld }).world),
);

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.remove();
});

const named = worlds.map((world) => [world.pipeline, world] as const);
/** One pipeline with a prompts folder and one that reads files of the checkout; `npm run test:soak` runs all. */
const played = named.filter(([pipeline]) => TRIES_ALL || ["ledger", "ticket"].includes(pipeline));

test.each(named)("a full copy of %s loads under a new name", async (pipeline, world) => {
  const at = sceneOf({ ...world, pipeline: "our-own" });
  scenes.push(at);
  expect((await signalbox(at, ["pipelines", "new", "our-own", "--from", pipeline])).code).toBe(0);
  const { code, out } = await signalbox(at, ["pipelines", "show", "our-own"]);
  expect(code, out).toBe(0);
  expect(out).toContain('"name":"our-own"');
});

test.each(played)("a full copy of %s ends the same under a new name", { timeout: 240_000 }, async (pipeline, world) => {
  const at = sceneOf({ ...world, pipeline: "our-own" });
  scenes.push(at);
  const made = await signalbox(at, ["pipelines", "new", "our-own", "--from", pipeline]);
  expect(made.code, made.out).toBe(0);
  at.git("add", ".signalbox/pipelines");
  at.git("commit", "-qm", "our own pipeline");
  const { code, out } = await runOf(at);
  expect(code, out.slice(-3_000)).toBe(world.ends.exit);
  expect(out).toContain(`"status":"${world.ends.status}"`);
  expect(out).toContain('"pipeline":"our-own"');
  expect(verdictOn(at).commits).toBe(world.ends.commits);
});

const REVIEWERS = '"pragmatic-verifier":';

test.each([
  { security: "approve", code: 0, status: "done", approvals: 4, commits: 1 },
  // A security objection sends the design back once; a second one ends the run.
  { security: "needs_revision", code: 1, status: "error", approvals: 3, commits: 0 },
])(
  "[L-07] a fourth reviewer added to a copy of ledger is dispatched and counted: security $security",
  { timeout: 240_000 },
  async ({ security, code, status, approvals, commits }) => {
    const world = worlds.find(({ pipeline }) => pipeline === "ledger") as RealWorld;
    const verdicts = { security, architecture: "approve", correctness: "approve" };
    const fourth = { role: "reviewer", instance: "privacy-advocate", output: { verdicts } };
    const at = sceneOf({ ...world, pipeline: "our-own", agents: [fourth, ...world.agents] });
    scenes.push(at);
    expect((await signalbox(at, ["pipelines", "new", "our-own", "--from", "ledger"])).code).toBe(0);
    const contracts = join(at.repo, ".signalbox/pipelines/our-own/ledger/contracts.ts");
    const text = readFileSync(contracts, "utf8");
    expect(text.split(REVIEWERS)).toHaveLength(2);
    writeFileSync(contracts, text.replace(REVIEWERS, `"privacy-advocate": "which name is kept",\n  ${REVIEWERS}`));
    at.git("add", ".signalbox/pipelines");
    at.git("commit", "-qm", "our own pipeline");
    const ran = await runOf(at);
    expect(ran.code, ran.out.slice(-3_000)).toBe(code);
    expect(ran.out).toContain(`"status":"${status}"`);
    const events = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const submitted = events.filter(({ type, rule }) => type === "gate.evaluated" && rule === "EG-3");
    expect(submitted).toMatchObject([
      { actual: 4, need: 4 },
      { actual: 4, need: 4 },
    ]);
    const approving = events.find(({ type, rule }) => type === "gate.evaluated" && rule === "EG-6");
    expect(approving).toMatchObject({ actual: approvals, need: 3 });
    expect(verdictOn(at).commits).toBe(commits);
  },
);

test("a name that is neither a template nor a pipeline is refused with the nearest name", async () => {
  const [world] = worlds;
  const at = sceneOf(world as RealWorld);
  scenes.push(at);
  const { code, out } = await signalbox(at, ["pipelines", "new", "our-own", "--from", "legder"]);
  expect(code).toBe(2);
  expect(out).toContain('Did you mean \\"ledger\\"?');
});
