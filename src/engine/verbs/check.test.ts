import { expect, test } from "vitest";
import { pipe } from "../../../test/support/pipe.ts";
import { BASE_TREE, done, type Stage, stage, world } from "../../../test/support/stage.ts";
import { sqlRule } from "../../core/authoring/rule.ts";
import type { Evidence, Verbs } from "../../core/authoring/verbs.ts";
import type { CheckedCommand, Effect } from "../../core/journal/effect.ts";

const base = { tree: BASE_TREE };
const AFTER = { tree: "after" };

type Ran = {
  readonly tree: string;
  readonly commands: readonly string[];
  readonly keep: boolean | undefined;
  readonly asked: boolean;
};

const SETUP = { run: "npm ci", lockFile: "package-lock.json" };

/** A run that checks and hands back what it saw; `exit` says how a command ends on a tree the n-th time it runs. */
async function checking(
  body: (v: Verbs<unknown>) => Promise<readonly Evidence[]>,
  exit: (tree: string, time: number) => number,
  own: (effect: Effect<"check">) => readonly object[] = () => [],
  more: (tree: string) => Partial<CheckedCommand> = () => ({}),
): Promise<{ readonly s: Stage; readonly ran: readonly Ran[]; readonly seen: readonly Evidence[] }> {
  const ran: Ran[] = [];
  let seen: readonly Evidence[] = [];
  const rest = world(() => done({}));
  const s = await stage({
    pipeline: pipe(async (v) => {
      v.phase("1 Work");
      seen = await body(v);
      return { status: "done" };
    }),
    order: { commands: [{ name: "test", run: "make test" }], setup: SETUP, protectedPaths: ["LICENSE"] },
    perform: (effect, signal) => {
      if (effect.kind !== "check") return rest(effect, signal);
      const { tree, commands, inspect, keep } = effect.request;
      if (inspect) return own(effect as Effect<"check">);
      const asked = commands.every((each) => each.asked !== false);
      ran.push({ tree, commands: commands.map((each) => each.name), keep, asked });
      const time = ran.filter((each) => each.tree === tree).length;
      return commands.map(({ name, run }) => ({
        name,
        command: run,
        exitCode: exit(tree, time),
        ms: 1,
        digest: "d",
        snippet: "said",
        ...more(tree),
      }));
    },
  });
  await s.drive();
  return { s, ran, seen };
}

test("the same command on the same tree runs once for all callers", async () => {
  const { ran } = await checking(
    async ({ check }) => [
      await check(base, { task: "a", phase: "baseline" }),
      await check(AFTER, { task: "a", baseline: base }),
      await check(AFTER, { task: "b", baseline: base }),
    ],
    () => 0,
  );
  expect(ran.map((each) => each.tree)).toEqual([BASE_TREE, "after"]);
});

test("[L-15] what passed on the baseline and fails twice afterwards is a regression", async () => {
  const { ran, seen } = await checking(
    async ({ check }) => [await check(AFTER, { task: "a", baseline: base })],
    (tree) => (tree === "after" ? 1 : 0),
  );
  expect(ran.map((each) => each.tree)).toEqual([BASE_TREE, "after", BASE_TREE, "after"]);
  expect(seen[0]).toMatchObject({ passed: false, checks: [{ name: "test", outcome: "regression", before: true }] });
  expect(seen[0]?.regressions).toHaveLength(1);
});

test("a check whose second run disagrees is flaky: a finding, and no row that a gate could count", async () => {
  const rows = sqlRule({
    id: "C",
    because: "rows",
    sql: "SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND phase = 'after'",
    need: 1,
  });
  const { seen, s } = await checking(
    async ({ check, gate }) => {
      const flaky = await check(AFTER, { task: "a", baseline: base });
      await gate("rows", [rows], {});
      return [flaky];
    },
    (tree, time) => (tree === "after" && time === 1 ? 1 : 0),
  );
  expect(seen[0]).toMatchObject({ passed: false, regressions: [], checks: [{ outcome: "flaky" }] });
  expect(seen[0]?.findings[0]?.message).toContain("is flaky: the same tree gave different results");
  expect((await s.records()).find((record) => record.type === "gate.evaluated")).toMatchObject({ actual: 0 });
});

test("[L-52] what was red before and shows nothing new counts neither way", async () => {
  const { seen } = await checking(
    async ({ check }) => [await check(AFTER, { baseline: base })],
    () => 1,
  );
  expect(seen[0]).toMatchObject({ passed: true, checks: [{ outcome: "red-before", passed: false, before: false }] });
});

test("without a baseline a red check is a failed one, and a command that nobody configured is named as not run", async () => {
  const { seen } = await checking(
    async ({ check }) => [await check(AFTER, { commands: ["test", "lint"] }), await check(AFTER, { commands: [] })],
    () => 1,
  );
  expect(seen[0]).toMatchObject({ passed: false, notRun: ["lint"], checks: [{ outcome: "failed" }] });
  expect(seen[1]).toMatchObject({ passed: false, checks: [] });
});

test("[A-16] the engine's own checks are evidence like any other, and what they find is kept apart", async () => {
  const finding = { severity: "critical", message: "a test was skipped", files: ["t.js"], by: "tamper" };
  const { seen, s } = await checking(
    async ({ check }) => [await check(AFTER, { task: "a", baseline: base, declared: ["src/**"] })],
    () => 0,
    ({ request }) => {
      expect(request.inspect).toMatchObject({ baseline: BASE_TREE, declared: ["src/**"], protectedPaths: ["LICENSE"] });
      const result = { command: "own", ms: 0, digest: "", snippet: "" };
      return [
        { ...result, name: "scope", exitCode: 0, findings: [] },
        { ...result, name: "tamper", exitCode: 1, findings: [finding] },
      ];
    },
  );
  expect(seen[0]).toMatchObject({ passed: false, tamper: [finding], findings: [] });
  expect(seen[0]?.checks.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    "test passed",
    "scope passed",
    "tamper failed",
  ]);
  const rows = (await s.records()).flatMap((record) =>
    record.type === "evidence.recorded" && record.task === "a" ? (record.rows ?? []) : [],
  );
  expect(rows.map(({ values }) => `${values["phase"]} ${values["check_name"]} ${values["passed"]}`)).toEqual([
    "baseline test 1",
    "after test 1",
    "after scope 1",
    "after tamper 0",
  ]);
});

test("with the counts of tests goes how many files could not be collected", async () => {
  const counts = { passed: 2, skipped: 0, source: "pytest" } as const;
  const asked: unknown[] = [];
  await checking(
    async ({ check }) => [await check(AFTER, { task: "a", baseline: base })],
    (tree) => (tree === "after" ? 1 : 0),
    ({ request }) => {
      asked.push(...(request.inspect?.testCounts ?? []));
      return [];
    },
    (tree) => ({
      tests:
        tree === "after"
          ? { ...counts, total: 3, failed: 1, uncollected: ["b.py"] }
          : { ...counts, total: 2, failed: 0 },
    }),
  );
  expect(asked).toMatchObject([{ name: "test", before: { total: 2 }, after: { total: 3, uncollected: 1 } }]);
});

test("[A-02] evidence carries command, tree, exit code, duration and digest", async () => {
  const { s } = await checking(
    async ({ check }) => [await check(AFTER, { task: "a" })],
    () => 0,
  );
  const records = (await s.records()).filter((record) => record.type === "evidence.recorded" && record.task === "a");
  expect(records).toMatchObject([
    {
      task: "a",
      check: "test",
      phase: "after",
      command: "make test",
      tree: "after",
      exitCode: 0,
      ms: 1,
      digest: "d",
      passed: true,
    },
  ]);
});

test("[A-31] only the set-up of the tree that the run began with may be kept", async () => {
  const { ran } = await checking(
    async ({ check }) => [await check(AFTER, { baseline: base }), await check({ tree: "other" }, { baseline: AFTER })],
    () => 0,
  );
  const kept = Object.fromEntries(ran.map(({ tree, keep }) => [tree, keep]));
  expect(kept).toEqual({ [BASE_TREE]: true, after: false, other: false });
});

test("[A-21] what left no report on the base is not asked for one on the tree of an agent, counted or not", async () => {
  const { s, ran, seen } = await checking(
    async ({ check }) => [await check(AFTER, { baseline: base })],
    () => 0,
    undefined,
    (tree) => (tree === BASE_TREE ? { unasked: true } : {}),
  );
  expect(ran.map(({ tree, asked }) => [tree, asked])).toEqual([
    [BASE_TREE, true],
    ["after", false],
  ]);
  expect(seen[0]?.checks[0]).toMatchObject({ outcome: "passed" });
  const records = (await s.records()).filter((each) => each.type === "evidence.recorded");
  const kept = new Map(records.map(({ tree, unasked }) => [tree, unasked]));
  expect([...kept]).toEqual([
    [BASE_TREE, true],
    ["after", undefined],
  ]);
});

test("a check says how many tests it ran: skipped ones are none, and neither is a green line that counts none", async () => {
  const ran = async (more: Partial<CheckedCommand>) => {
    const { seen } = await checking(
      async ({ check }) => [await check(AFTER)],
      () => 0,
      undefined,
      () => more,
    );
    return seen[0]?.checks[0]?.tests;
  };
  const counts = { total: 3, passed: 2, failed: 0, skipped: 1, source: "tap" as const };
  expect(await ran({ tests: counts })).toBe(2);
  expect(await ran({ tests: { ...counts, total: 1, passed: 0 } })).toBeUndefined();
  expect(await ran({})).toBeUndefined();
});
