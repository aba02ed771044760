import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { BASE_TREE, done, quickWorld, stage, world } from "../../../test/support/stage.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { sqlRule } from "../../core/authoring/rule.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { replayJournal } from "../replay/replay.ts";

const reviewer = defineRole({
  name: "reviewer",
  does: "reads",
  input: z.object({ view: z.string(), depth: z.number().default(3) }),
  contract: z.object({ approves: z.boolean(), why: z.string() }),
  verdict: ({ approves, why }) => ({ passed: approves, because: why, tree: { tree: BASE_TREE } }),
});

/** As an untyped answer of another agent would come in. */
const unknownInput = (input: object) => input as { view: string };

test("a role is sent what its schema makes of the input", async () => {
  const inputs: unknown[] = [];
  const perform = world(({ input }) => {
    inputs.push(input);
    return done({ approves: true, why: "fine" });
  });
  const pipeline = pipe(async ({ phase, agent }) => {
    phase("1 Work");
    await agent(reviewer, unknownInput({ view: "security", hidden: "not declared" }));
    return { status: "done" };
  });
  const s = await stage({ pipeline, perform });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(inputs).toEqual([{ view: "security", depth: 3 }]);
});

test("an input that does not fit stops the run before the dispatch, names role and field, and can be repaired", async () => {
  let dispatches = 0;
  const perform = world(() => {
    dispatches += 1;
    return done({ approves: true, why: "fine" });
  });
  const asking = (view: unknown) =>
    pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(reviewer, unknownInput({ view }));
      return { status: "done" };
    });
  const s = await stage({ pipeline: asking(7), perform });
  await expect(s.drive()).rejects.toMatchObject({ code: "ROLE_INPUT_INVALID" });
  expect((await s.records()).at(-1)).toMatchObject({
    type: "run.suspended",
    code: "ROLE_INPUT_INVALID",
    reason: expect.stringMatching(/Invalid input for the role reviewer\. view: expected string, found 7/),
  });
  expect(dispatches).toBe(0);
  const repaired = await s.again({ pipeline: asking("security") });
  expect(await repaired.drive()).toEqual({ status: "done", exit: 0 });
  expect(dispatches).toBe(1);
});

test("a run whose role has got a stricter input since still replays", async () => {
  const dispatching = (role: typeof reviewer) =>
    pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(role, { view: "security" });
      return { status: "done" };
    });
  const s = await stage({ pipeline: dispatching(reviewer), perform: world(() => done({ approves: true, why: "" })) });
  await s.drive();
  const stricter = { ...reviewer, input: z.object({ view: z.string().max(3) }) };
  expect(
    await replayJournal({ records: await s.records(), pipeline: dispatching(stricter), world: quickWorld() }),
  ).toEqual({
    ok: true,
  });
});

const APPROVED = sqlRule({
  id: "APPROVED",
  because: "a reviewer approves",
  sql: `SELECT CAST(COUNT(*) AS INTEGER) AS actual FROM anvil_checks
WHERE run_id = :run AND task_id = :task AND round = 1 AND phase = 'review' AND passed = 1 AND instance = 'security'`,
  need: 1,
});

const rowsIn = (records: readonly JournalRecord[]) => records.flatMap(({ rows = [] }) => rows);

test.each([
  { approves: true, word: "approve", status: "DONE" },
  { approves: false, word: "needs_revision", status: "NEEDS_REVISION" },
])("a verdict becomes a row that gates count, and telemetry says $status", async ({ approves, word, status }) => {
  const pipeline = pipe(async ({ phase, agent, gate }) => {
    phase("1 Work");
    await agent(reviewer, { view: "security" }, { as: "security", task: "T-1" });
    const { passed } = await gate("approved", [APPROVED], { task: "T-1" });
    return { status: "done", reason: String(passed) };
  });
  const s = await stage({ pipeline, perform: world(() => done({ approves, why: "looked" })) });
  await s.drive();
  const records = await s.records();
  expect(records.at(-1)).toMatchObject({ reason: String(approves) });
  expect(rowsIn(records)).toMatchObject([
    {
      table: "anvil_checks",
      values: {
        task_id: "T-1",
        phase: "review",
        check_name: "review",
        tool: "reviewer",
        passed: approves ? 1 : 0,
        verdict: word,
        output_snippet: "looked",
        round: 1,
        instance: "security",
        tree: BASE_TREE,
      },
    },
    { table: "pipeline_telemetry", values: { agent: "reviewer", status } },
  ]);
});

test("a role says itself which of its answers sends the work back, whatever words it uses", async () => {
  const contract = z.object({ said: z.string() });
  const plain = defineRole({ name: "plain", does: "talks", contract });
  const judge = defineRole({ name: "judge", does: "judges", contract, revises: ({ said }) => said === "again" });
  const pipeline = pipe(async ({ phase, agent }) => {
    phase("1 Work");
    await agent(plain, {});
    await agent(judge, {});
    return { status: "done" };
  });
  const perform = world(({ role }) => done({ said: role === "plain" ? "NEEDS_REVISION" : "again" }));
  const s = await stage({ pipeline, perform });
  await s.drive();
  const rows = rowsIn(await s.records()).map(({ values }) => [values["agent"], values["status"]]);
  expect(rows).toEqual([
    ["plain", "DONE"],
    ["judge", "NEEDS_REVISION"],
  ]);
});

test("a run that was begun with the old names of options goes on with the new ones", async () => {
  const asked = { title: "Keep?", show: 1, choices: ["yes", "no"], auto: "never", accepts: "yes" } as const;
  const base = { tree: BASE_TREE };
  const old = pipe(async ({ phase, check, ask }) => {
    phase("1 Work");
    await check(base, { phase: "baseline" });
    const { decision } = await ask({ ...asked, about: base });
    return { status: "done", reason: decision.tree ?? "no tree" };
  });
  const renamed = pipe(async ({ phase, check, ask }) => {
    phase("1 Work");
    await check(base, { recordedAs: "baseline" });
    const { decision } = await ask({ ...asked, tree: base });
    return { status: "done", reason: decision.tree ?? "no tree" };
  });
  const s = await stage({ pipeline: old });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  const question = (await s.records()).find((record) => record.type === "approval.requested");
  const { approval = "", hash = "" } = question ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "yes", by: "eve" });
  const later = await s.again({ pipeline: renamed });
  expect(await later.drive()).toEqual({ status: "done", exit: 0 });
  expect((await s.records()).at(-1)).toMatchObject({ reason: BASE_TREE });
});
