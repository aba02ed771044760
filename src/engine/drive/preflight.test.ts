import { expect, test } from "vitest";
import { z } from "zod";
import { BASE_TREE, done, stage, world } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { Effect } from "../../core/journal/effect.ts";
import type { RunOrder } from "../engine.ts";
import type { SuggestFixes } from "../run.ts";

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ ok: z.boolean() }) });

const pipeline = definePipeline(
  {
    name: "small",
    about: "",
    version: 1,
    input: z.unknown(),
    dialect: "json",
    phases: [{ title: "One", roles: [writer] }],
    cap: 1,
  },
  async ({ phase, agent }) => {
    phase("One");
    await agent(writer, {});
    return { status: "done" };
  },
);

type Scene = {
  readonly order: Partial<RunOrder>;
  readonly ends?: (command: string) => object;
  readonly cures?: SuggestFixes;
};

/** A run of one dispatch, and what happened in it. */
async function begun({ order, ends = () => ({ exitCode: 0 }), cures }: Scene) {
  const happened: string[] = [];
  const rest = world(() => done({ ok: true }));
  const s = await stage({
    pipeline,
    order,
    ...(cures ? { parts: { cures } } : {}),
    perform: (effect: Effect, signal) => {
      if (effect.kind !== "check") {
        happened.push(effect.kind);
        return rest(effect, signal);
      }
      return effect.request.commands.map(({ name, run }) => {
        happened.push(`${name} on ${effect.request.tree}`);
        return { name, command: run, ms: 1, digest: "d", snippet: "said", ...ends(name) };
      });
    },
  });
  return { s, happened };
}

const TWO = [
  { name: "lint", run: "npm run lint" },
  { name: "test", run: "npm test" },
];

test("[A-21] every configured command runs on the base before the first dispatch, and is recorded", async () => {
  const { s, happened } = await begun({ order: { commands: TWO } });
  expect(await s.drive()).toMatchObject({ status: "done", exit: 0 });
  expect(happened).toEqual([`lint on ${BASE_TREE}`, `test on ${BASE_TREE}`, "attempt"]);
  const evidence = (await s.records()).filter((record) => record.type === "evidence.recorded");
  expect(evidence).toMatchObject([
    { key: "Preflight/baseline", check: "lint", phase: "baseline", outcome: "passed", tree: BASE_TREE },
    { key: "Preflight/baseline", check: "test", phase: "baseline", outcome: "passed", tree: BASE_TREE },
  ]);
});

test("[A-21] a command that cannot run ends the call with 4 and its own words, and nothing is dispatched", async () => {
  const { s, happened } = await begun({
    order: { commands: TWO },
    ends: (name) => (name === "lint" ? { exitCode: 127, notRun: "sh: 1: xo: not found" } : { exitCode: 0 }),
  });
  expect(await s.drive()).toEqual({ status: "error", exit: 4 });
  expect(happened).not.toContain("attempt");
  const end = (await s.records()).findLast((record) => record.type === "run.finished");
  expect(end?.reason).toBe("lint could not be run: sh: 1: xo: not found (lint: npm run lint). Nothing was dispatched.");
});

test("[A-21] a cure that takes its time to be found is waited for", async () => {
  const { s } = await begun({
    order: { commands: TWO },
    ends: () => ({ exitCode: 127, notRun: "not found" }),
    cures: () => new Promise((resolve) => setTimeout(resolve, 5, ["do this"])),
  });
  expect(await s.drive()).toEqual({ status: "error", exit: 4 });
  expect((await s.records()).at(-1)).toMatchObject({ type: "run.finished", next: ["do this"] });
});

test("[A-20] a red baseline is no reason not to begin", async () => {
  const { s, happened } = await begun({ order: { commands: TWO }, ends: () => ({ exitCode: 1 }) });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(happened).toContain("attempt");
});

test("an engine that takes over does not look again", async () => {
  const { s, happened } = await begun({ order: { commands: TWO } });
  await s.drive();
  await s.drive();
  expect(happened.filter((each) => each.startsWith("test on"))).toHaveLength(1);
});

test("[A-24] without any command an autonomous run is refused before it exists", async () => {
  const begin = begun({ order: { commands: [], approvals: "autonomous", exempt: undefined as never } });
  await expect(begin).rejects.toMatchObject({ code: "NO_CHECKS" });
});

test("[A-24] a reason in the configuration is a person's word that no command is needed", async () => {
  const { s, happened } = await begun({ order: { commands: [], approvals: "autonomous", exempt: "only prose" } });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(happened).toEqual(["attempt"]);
});

test("[A-24] without any command a person is asked once, at the start", async () => {
  const { s, happened } = await begun({
    order: { commands: [], approvals: "interactive", exempt: undefined as never },
  });
  expect(await s.drive()).toMatchObject({ status: "waiting", exit: 3 });
  expect(happened).toEqual([]);
  const question = (await s.records()).find((record) => record.type === "approval.requested");
  expect(question).toMatchObject({ key: expect.stringContaining("Preflight/"), choices: ["go on", "stop"] });
  const answer = { kind: "answer", approval: question?.approval ?? "", hash: question?.hash ?? "", by: "ann" } as const;
  await s.post({ ...answer, choice: "go on", note: "only prose" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(happened).toEqual(["attempt"]);
});

test("[A-24] a person who refuses to run without commands ends the run", async () => {
  const { s, happened } = await begun({
    order: { commands: [], approvals: "interactive", exempt: undefined as never },
  });
  await s.drive();
  const question = (await s.records()).find((record) => record.type === "approval.requested");
  const answer = { kind: "answer", approval: question?.approval ?? "", hash: question?.hash ?? "", by: "ann" } as const;
  await s.post({ ...answer, choice: "stop" });
  expect(await s.drive()).toEqual({ status: "error", exit: 4 });
  expect(happened).toEqual([]);
});
