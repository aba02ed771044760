import { expect, test } from "vitest";
import { z } from "zod";
import { BASE_TREE, stage, world } from "../../../../test/support/stage.ts";
import type { End } from "../../../core/authoring/end.ts";
import { definePipeline } from "../../../core/authoring/pipeline.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import { valueRule } from "../../../core/authoring/rule.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import type { AttemptRequest, AttemptResult, CheckedCommand } from "../../../core/journal/effect.ts";

const contract = z.object({}).loose();
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const reader = defineRole({ name: "reader", does: "reads", contract });
const FINE = valueRule({ id: "FINE", because: "a gate that says yes", judge: () => ({ passed: true }) });

const OUTPUT = "AssertionError: 3 !== 4";
const RED: Partial<CheckedCommand> = {
  exitCode: 1,
  excerpt: OUTPUT,
  output: "e/1.1/abc",
  tests: {
    total: 2,
    passed: 1,
    failed: 1,
    skipped: 0,
    source: "tap",
    names: { "t.js › adds": "failed", "t.js › is there": "passed" },
  },
};

type Scene = {
  readonly body: (verbs: Verbs<unknown>) => Promise<unknown>;
  /** By the instance. */
  readonly work?: Readonly<Record<string, Partial<Extract<AttemptResult, { outcome: "done" }>>>>;
  readonly red?: readonly string[];
};

const pipelineOf = (body: Scene["body"]) =>
  definePipeline(
    { name: "facts", does: "a test", input: z.unknown(), phases: [{ title: "1" }], documents: ["plans/**"] },
    async (verbs): Promise<End> => {
      verbs.phase("1");
      await body(verbs);
      return { status: "done" };
    },
  );

/** What each attempt was asked, by its instance. */
async function asked({ body, work = {}, red = [] }: Scene) {
  const requests = new Map<string, AttemptRequest>();
  const rest = world((request) => {
    requests.set(request.instance || request.role, request);
    return {
      outcome: "done",
      contract: {},
      after: "after",
      changed: [],
      outside: [],
      ms: 1,
      ...work[request.instance],
    };
  });
  const s = await stage({
    pipeline: pipelineOf(body),
    order: { commands: [{ name: "test", run: "make test" }], setup: { run: "npm ci", lockFile: "lock" } },
    perform: (effect, signal) => {
      if (effect.kind !== "check") return rest(effect, signal);
      if (effect.request.inspect) return [];
      return effect.request.commands.map(({ name, run }) => ({
        name,
        command: run,
        exitCode: 0,
        ms: 1,
        digest: "d",
        snippet: "",
        ...(red.includes(effect.request.tree) ? RED : {}),
      }));
    },
  });
  return { s, requests, end: await s.drive() };
}

test("[A-34] every attempt is told the commands with their baseline, the set-up and the base", async () => {
  const { requests, end } = await asked({ body: ({ agent }) => agent(reader, {}) });
  expect(end).toMatchObject({ status: "done" });
  expect(requests.get("reader")).toMatchObject({
    base: BASE_TREE,
    checks: [{ name: "test", run: "make test", before: { outcome: "passed" } }],
    setup: { run: "npm ci", lockFile: "lock", from: BASE_TREE },
  });
});

test("[A-34] a tree that was checked red says so with names, and brings the whole output", async () => {
  let seen: Evidence | undefined;
  const { requests } = await asked({
    red: ["after"],
    async body({ agent, check }) {
      const work = await agent(writer, {}, { as: "first" });
      seen = await check(work.after, { baseline: { tree: BASE_TREE } });
      await agent(writer, { findings: seen.regressions }, { as: "afresh" });
      await agent(reader, {}, { in: work.after });
    },
  });
  expect(seen?.regressions).toMatchObject([{ by: "check", tests: ["t.js › adds"], output: OUTPUT }]);
  expect(seen?.checks[0]).toMatchObject({ name: "test", output: OUTPUT });
  expect(requests.get("reader")).toMatchObject({
    checks: [{ before: { outcome: "passed" }, now: { outcome: "regression", failing: ["t.js › adds"] } }],
    logs: [{ name: "test", output: "e/1.1/abc" }],
  });
  // It starts from where nothing was red, and its input speaks of what was.
  expect(requests.get("afresh")).toMatchObject({ logs: [{ name: "test", output: "e/1.1/abc" }] });
  expect(requests.get("first")?.logs).toBeUndefined();
});

test("of a check that is as red as before the names are told, and nobody is given its output to mend", async () => {
  let seen: Evidence | undefined;
  const { s } = await asked({
    red: [BASE_TREE, "after"],
    async body({ agent, check }) {
      const work = await agent(writer, {}, { as: "first" });
      seen = await check(work.after, { baseline: { tree: BASE_TREE } });
    },
  });
  expect(seen?.findings).toMatchObject([{ severity: "minor", tests: ["t.js › adds"] }]);
  expect(seen?.findings[0]?.output).toBeUndefined();
  const told = (await s.records()).flatMap((record) =>
    record.type === "evidence.recorded" && record.excerpt !== undefined ? [record.tree] : [],
  );
  // Once for each tree, however often the first one is compared with.
  expect(told).toEqual([BASE_TREE, "after"]);
});

test("[A-34] files that were not taken are told to whoever goes on with the tree, also after a merge, and to its check", async () => {
  let seen: Evidence | undefined;
  const { requests } = await asked({
    red: ["two"],
    work: {
      one: { after: "one", outside: ["notes.md"] },
      two: { after: "two", outside: [] },
      three: { after: "three", changed: ["notes.md"], outside: [] },
    },
    async body({ agent, check, merge }) {
      const one = await agent(writer, {}, { as: "one", task: "t1", writes: ["src/**"] });
      const two = await agent(writer, {}, { as: "two", task: "t2" });
      const merged = await merge({ tree: BASE_TREE }, [one.after, two.after]);
      if (!merged.clean) return;
      seen = await check(merged.tree);
      await agent(writer, {}, { as: "three", in: merged.tree });
      await agent(writer, {}, { as: "one", task: "t1", writes: ["src/**"] });
      await agent(reader, {}, { in: { tree: "three" } });
    },
  });
  const dropped = [{ by: "one", paths: ["notes.md"], writes: ["src/**"] }];
  expect(requests.get("three")).toMatchObject({ dropped });
  expect(requests.get("one")).toMatchObject({ dropped });
  // Somebody has written it since.
  expect(requests.get("reader")?.dropped).toBeUndefined();
  const message = "one changed notes.md; that was not taken: it may only change src/**";
  expect(seen?.findings).toContainEqual({ severity: "minor", message, files: ["notes.md"], by: "scope" });
});

test("a tree that only documents of the process tell from the base holds no change, also after a merge", async () => {
  const { requests } = await asked({
    work: {
      plan: { after: "plan", changed: ["plans/a.md"] },
      notes: { after: "notes", changed: ["plans/b.md"] },
      code: { after: "code", changed: ["plans/a.md", "src/a.ts"] },
      later: { after: "later", changed: ["plans/c.md"] },
    },
    async body({ agent, merge }) {
      const plan = await agent(writer, {}, { as: "plan" });
      const notes = await agent(writer, {}, { as: "notes" });
      const both = await merge({ tree: BASE_TREE }, [plan.after, notes.after]);
      if (!both.clean) return;
      const code = await agent(writer, {}, { as: "code", in: both.tree });
      const later = await agent(writer, {}, { as: "later", in: code.after });
      await agent(reader, {}, { as: "end", in: later.after });
      await agent(reader, {}, { as: "since", in: later.after, base: code.after });
    },
  });
  const unchanged = [...requests].flatMap(([name, request]) => (request.unchanged ? [name] : []));
  expect(unchanged).toEqual(["plan", "notes", "code", "since"]);
});

test("the base is what the pipeline says, else what the run committed last", async () => {
  const { requests } = await asked({
    async body({ agent, gate, commit }) {
      await agent(reader, {}, { as: "said", base: { tree: "other" } });
      const because = [await gate("g", [FINE], { tree: "after" })];
      await commit({ tree: "after" }, { message: "work", because });
      await agent(reader, {}, { as: "later" });
    },
  });
  expect(requests.get("said")?.base).toBe("other");
  expect(requests.get("later")?.base).toBe("after");
});

test("a run that another engine takes up tells the same, and a base that is said since changes no step", async () => {
  let rounds = 0;
  const body = (base?: { readonly tree: string }) => async (verbs: Verbs<unknown>) => {
    const { agent, check, pause } = verbs;
    const work = await agent(writer, {}, { as: "first", writes: ["src/**"], ...(base ? { base } : {}) });
    const seen = await check(work.after);
    await pause("look at it", {});
    rounds += 1;
    await agent(writer, { findings: seen.findings }, { as: "second", in: work.after });
  };
  const scene = { red: ["after"], work: { first: { outside: ["notes.md"] } } };
  const { s, requests } = await asked({ ...scene, body: body() });
  expect(requests.has("second")).toBe(false);
  await s.post({ kind: "resume", by: "somebody" });
  const again = await s.again({ pipeline: pipelineOf(body({ tree: "other" })) });
  await again.drive();
  expect(rounds).toBe(1);
  expect(requests.get("second")).toMatchObject({
    checks: [{ before: { outcome: "passed" }, now: { outcome: "regression" } }],
    logs: [{ name: "test" }],
  });
});
