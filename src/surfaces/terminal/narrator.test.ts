import { expect, test } from "vitest";
import type { JournalRecord, RecordBody } from "../../core/journal/record.ts";
import { NO_LIVE_STATE } from "../../views/page/live-state.ts";
import { buildRunPage } from "../../views/page/page-fold.ts";
import { describeStatus } from "../../views/run-status-text.ts";
import { foldRunView } from "../../views/run-view.ts";
import { createNarrator } from "./narrator.ts";
import { PLAIN } from "./paint.ts";
import { formatStatusLines } from "./status-lines.ts";

const OWNED = { ...NO_LIVE_STATE, presence: { owned: true, answered: new Set<string>() } };

/** Creates records, one second apart unless a test sets the time. */
function journal(...facts: readonly (RecordBody & { at?: number })[]): JournalRecord[] {
  return facts.map(({ at, ...fact }, index) => {
    const stamp = { v: 1, seq: index + 1, ts: at ?? index * 1_000, run: "r-1", chain: "" };
    // The cast holds: an event with a stamp is a record.
    return { ...fact, ...stamp } as unknown as JournalRecord;
  });
}

const started: RecordBody = {
  type: "run.started",
  pipeline: "small",
  version: 1,
  hash: "",
  input: {},
  phases: ["1 Work"],
  approvals: "interactive",
  base: { commit: "0123456789abcdef", tree: "t" },
  commands: [{ name: "test", run: "npm test" }],
  limits: {},
  minConfidence: "medium",
};
const engine: RecordBody = { type: "engine.started", owner: "host:12:3:4", fence: 1, hash: "" };
const step = (key: string, verb: string, phase: string): RecordBody => {
  return { type: "step.started", key, verb, phase, scope: "root", n: 0, print: "" };
};
const dispatch = { key: "1 Work/writer", role: "writer", instance: "", round: 1, attempt: 1 };
const began: RecordBody = { type: "agent.started", ...dispatch, effect: "e", nonce: "n" };
const failure = { class: "transient" as const, code: "busy", message: "429 \u001b[31mToo Many" };

const told = (records: readonly JournalRecord[]): string[] => {
  const narrator = createNarrator(PLAIN);
  return records.flatMap((record) => narrator.tell(record));
};

test("a failed attempt shows its reason and the next try, without escape codes of its agent", () => {
  const lines = told(
    journal(
      started,
      engine,
      step("1 Work/writer", "agent", "1 Work"),
      began,
      { type: "agent.finished", ...dispatch, outcome: "failed", failure, ms: 1_200 },
      { type: "agent.retried", ...dispatch, attempt: 2, because: failure, waitMs: 5_000 },
    ),
  );
  expect(lines).toContain("        1 Work");
  expect(lines.find((line) => line.includes("✗"))).toMatch(/0:04 {2}✗ writer +1\.2s {2}transient: 429 Too Many$/);
  expect(lines.at(-1)).toMatch(/↻ writer +retrying in 5\.0s, attempt 2$/);
});

test("an attempt whose answer could not be used shows that its work is saved", () => {
  const unread = { class: "contract" as const, code: "contract_missing", message: "no contract" };
  const records = journal(started, engine, step("1 Work/writer", "agent", "1 Work"), began, {
    type: "agent.finished",
    ...dispatch,
    outcome: "failed",
    failure: unread,
    kept: "t-1",
  });
  expect(told(records).at(-1)).toMatch(/✗ writer +contract: no contract · its work is saved$/);
});

test("an attempt that continues an interrupted one says so", () => {
  const cut: RecordBody = {
    type: "agent.finished",
    ...dispatch,
    outcome: "interrupted",
    session: "s-1",
    orderly: true,
  };
  const next: RecordBody = {
    type: "agent.started",
    ...dispatch,
    attempt: 2,
    effect: "e",
    nonce: "n",
    continues: "s-1",
  };
  const lines = told(journal(started, engine, step("1 Work/writer", "agent", "1 Work"), began, cut, next));
  expect(lines.at(-1)).toMatch(/● writer +attempt 2 · continues the interrupted attempt$/);
});

test("an interrupted attempt says whether its worker died or was stopped", () => {
  const cut = (how: object): RecordBody => ({
    type: "agent.finished",
    ...dispatch,
    outcome: "interrupted",
    worker: "build-1/82073146",
    ...how,
  });
  const after = (end: RecordBody) =>
    told(journal(started, engine, step("1 Work/writer", "agent", "1 Work"), began, end));
  expect(after(cut({})).at(-1)).toMatch(/interrupted: worker build-1\/82073146 died while the agent was running$/);
  expect(after(cut({ orderly: true })).at(-1)).toMatch(/stopped: worker build-1\/82073146 was stopped$/);
});

test("a run that is taken over names the engine that died, and none after an orderly stop", () => {
  const next: RecordBody = { type: "engine.started", owner: "build-2/00ff00ff", fence: 2, hash: "h" };
  const rested: RecordBody = { type: "run.suspended", status: "interrupted", exit: 130, reason: "told to stop" };
  const first: RecordBody = { type: "engine.started", owner: "build-1/82073146", fence: 1, hash: "h" };
  expect(told(journal(started, first, next)).at(-1)).toMatch(
    /engine build-1\/82073146 died; taken over by engine build-2\/00ff00ff/,
  );
  expect(told(journal(started, first, rested, next)).at(-1)).toMatch(/▸ taken over by engine build-2\/00ff00ff/);
});

test("a missed gate shows the rule, the found value and the findings of reviewers", () => {
  const key = "2 Review/review";
  const rule = { key, gate: "review", params: {} };
  const lines = told(
    journal(
      started,
      engine,
      step(key, "gate", "2 Review"),
      { type: "gate.evaluated", ...rule, rule: "EG-6", passed: false, actual: 1, need: 2 },
      { type: "gate.evaluated", ...rule, rule: "EG-4", passed: true, actual: 0, need: 0 },
      { type: "step.finished", key, value: { findings: [{ severity: "major", message: "too wide", by: "guardian" }] } },
    ),
  );
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/✗ gate review +1 of 2 rules missed$/),
    "            EG-6  found 1, needs 2",
    "            major guardian: too wide",
  ]);
});

test("values that a rule found and requires are printed as inert text", () => {
  const hostile = "a\u009b31m\u0090q\u009c\u202eb\u2066";
  const key = "2 Review/review";
  const lines = told(
    journal(
      started,
      engine,
      step(key, "gate", "2 Review"),
      {
        ...{ type: "gate.evaluated", key, gate: "review", rule: "R-1", passed: false, params: {} },
        actual: hostile,
        need: hostile,
      },
      { type: "step.finished", key, value: { findings: [] } },
    ),
  );
  expect(lines.at(-1)).toBe('            R-1  found "ab", needs ab');
});

test("the same result on the same tree is printed once, whichever task requests it", () => {
  const evidence = (task: string): RecordBody => ({
    type: "evidence.recorded",
    key: "1 Work/check",
    task,
    check: "test",
    phase: "baseline",
    round: 1,
    passed: true,
    tree: "abcdef0123",
    command: "npm test",
    exitCode: 0,
    ms: 400,
    digest: "",
    snippet: "",
    turn: 1,
  });
  const lines = told(journal(started, engine, step("1 Work/check", "check", "1 Work"), evidence("a"), evidence("b")));
  expect(lines.filter((line) => line.includes("check test"))).toHaveLength(1);
});

test("an exam has a line for each command, which it names, and a build is no exam", () => {
  const sat = (command: string, more: object): RecordBody => ({
    type: "evidence.recorded",
    key: "1 Work/check",
    task: "a",
    check: "exam-new-on-old",
    phase: "after",
    round: 1,
    passed: true,
    tree: "abcdef0123",
    halves: { code: "b".repeat(40), exam: "c".repeat(40) },
    command,
    exitCode: 0,
    ms: 400,
    digest: "",
    snippet: "",
    turn: 1,
    ...more,
  });
  const tests = { total: 6, passed: 4, failed: 2, skipped: 0, source: "tap", asked: true };
  const build = sat("npm run build", {});
  const test = sat("npm test", { exitCode: 1, tests });
  const lines = told(journal(started, engine, step("1 Work/check", "check", "1 Work"), build, test)).join("\n");
  expect(lines).toContain("`npm run build` counts no tests");
  expect(lines).toContain("`npm test`: 2 of 6 new tests fail on the old code, as they should");
  expect(lines).not.toContain("do not show the change");
});

test("a step of the pipeline is printed with its own claim", () => {
  const records = journal(
    started,
    engine,
    step("1 Work/post a comment", "act", "1 Work"),
    { type: "step.finished", key: "1 Work/post a comment", value: { id: 7 } },
    step("1 Work/read", "act", "1 Work"),
    {
      type: "step.finished",
      key: "1 Work/read",
      failure: { class: "transient", code: "act_threw", message: "no network" },
    },
    step("1 Work/open", "act", "1 Work"),
  );
  const lines = told(records);
  expect(lines.filter((line) => line.includes("● post a comment"))).toEqual([
    expect.stringMatching(/● post a comment +a step of the pipeline$/),
  ]);
  expect(lines.find((line) => line.includes("▪ post a comment"))).toMatch(/reported \{"id":7\}$/);
  expect(lines.find((line) => line.includes("✗ read"))).toMatch(/a step of the pipeline: no network$/);
  const view = foldRunView(records);
  const standing = { status: "running", because: "", next: [] };
  const shown = formatStatusLines(PLAIN, {
    view,
    page: buildRunPage(records, OWNED),
    standing,
    now: view.lastAt + 2_000,
  });
  const at = shown.indexOf("  steps of the pipeline");
  expect(shown.slice(at + 1, at + 4)).toEqual([
    "    ▪ post a comment  reported id: 7",
    "    ✗ read  no network",
    expect.stringMatching(/^ {4}● open {2}\d/),
  ]);
});

test("orchestration is the time in which no agent, check or person is working", () => {
  const records = journal(
    { ...started, at: 0 },
    { ...engine, at: 100 },
    { ...began, at: 150 },
    { type: "agent.finished", ...dispatch, outcome: "done", at: 1_150 },
    { ...step("1 Work/check", "check", "1 Work"), at: 1_160 },
    { type: "step.finished", key: "1 Work/check", at: 3_000 },
    { type: "run.finished", status: "done", exit: 0, at: 3_020 },
  );
  expect(foldRunView(records).orchestrationMs).toBe(50 + 10 + 20);
});

test("the time between two engines is not counted, and a killed one counts until its last record", () => {
  const records = journal(
    { ...started, at: 0 },
    { ...engine, at: 100 },
    { ...step("a", "write", "1 Work"), at: 130 },
    { ...engine, at: 60_000 },
    { type: "run.finished", status: "done", exit: 0, at: 60_005 },
  );
  expect(foldRunView(records).orchestrationMs).toBe(35);
});

test("[L-45] every failed dispatch is an entry of the error log that says whether it was retried", () => {
  const records = journal(
    started,
    began,
    { type: "agent.finished", ...dispatch, outcome: "failed", failure },
    { type: "agent.retried", ...dispatch, attempt: 2, because: failure, waitMs: 0 },
    { ...began, attempt: 2 },
    { type: "agent.finished", ...dispatch, attempt: 2, outcome: "failed", failure },
  );
  const { failed, retries } = foldRunView(records);
  expect(failed.map(({ started: { key, role }, retried }) => ({ key, role, retried }))).toEqual([
    { key: "1 Work/writer", role: "writer", retried: true },
    { key: "1 Work/writer", role: "writer", retried: undefined },
  ]);
  expect(retries).toEqual({ transient: 1 });
});

test("a run that stopped without a record says so and how to continue; a running one says who is working", () => {
  const declared = { ...started, phases: ["1 Work", "2 Review"] };
  const view = foldRunView(journal(declared, engine, step("1 Work/writer", "agent", "1 Work"), began));
  const nobody = describeStatus(view, { owned: false, answered: new Set() });
  expect(nobody).toMatchObject({ status: "stopped", next: ["signalbox resume r-1"] });
  const somebody = describeStatus(view, { owned: true, answered: new Set() });
  expect(somebody).toMatchObject({ status: "running", because: "1 agent is running in 1 Work" });
  expect(view.phases).toMatchObject([
    { title: "1 Work", state: "current" },
    { title: "2 Review", state: "not started" },
  ]);
});

test("a phase in which the run stopped, or no agent delivered, is not shown as done", () => {
  const records = journal(
    started,
    engine,
    step("Preflight/baseline", "check", "Preflight"),
    { type: "step.finished", key: "Preflight/baseline" },
    { type: "run.finished", status: "error", exit: 4, reason: "no" },
  );
  expect(foldRunView(records).phases[0]).toMatchObject({
    title: "Preflight",
    state: "failed",
    reason: "the run ended here",
  });
  const silent = journal(
    started,
    engine,
    step("1 Work/writer", "agent", "1 Work"),
    began,
    { type: "agent.finished", ...dispatch, outcome: "failed", failure },
    { type: "step.finished", key: "1 Work/writer", failure },
    step("2 Report/note", "note", "2 Report"),
    { type: "step.finished", key: "2 Report/note" },
    { type: "run.finished", status: "done", exit: 0 },
  );
  expect(foldRunView(silent).phases).toMatchObject([
    { title: "1 Work", state: "failed", reason: "no agent delivered" },
    { title: "2 Report", state: "done" },
  ]);
});

const gateOf = (n: number, passed: boolean): RecordBody[] => [
  step(`1 Work/round-${n}/work`, "gate", "1 Work"),
  {
    ...{ type: "gate.evaluated", key: `1 Work/round-${n}/work`, gate: "work", rule: "K-01", passed },
    ...{ actual: 0, need: 0, params: {} },
  } as RecordBody,
  { type: "step.finished", key: `1 Work/round-${n}/work`, value: null },
];
const finished: RecordBody = { type: "run.finished", status: "done", exit: 0 };

test("an agent that answered is gray, and only gates and checks get a check mark", () => {
  const answered: RecordBody = { type: "agent.finished", ...dispatch, outcome: "done", ms: 1_000 };
  const lines = told(
    journal(started, engine, step("1 Work/writer", "agent", "1 Work"), began, answered, ...gateOf(1, true)),
  );
  expect(lines.find((line) => line.includes("writer") && line.includes("1.0s"))).toContain("▪ writer");
  expect(lines.filter((line) => line.includes("✓"))).toEqual([expect.stringContaining("✓ gate work")]);
});

test("a run gets a check mark only if every gate passed in the end", () => {
  const good = told(journal(started, engine, ...gateOf(1, false), ...gateOf(2, true), finished));
  expect(good).toContainEqual(expect.stringContaining("✓ done"));
  const grey = told(journal(started, engine, ...gateOf(1, true), ...gateOf(2, false), finished));
  expect(grey).toContainEqual(expect.stringContaining("▪ done"));
  expect(grey).toContainEqual(expect.stringContaining("gate work did not pass"));
});

test("a phase whose gate was missed in the end gets no check mark and names the gate", () => {
  const shown = (...facts: RecordBody[]) => {
    const records = journal(started, engine, ...facts, finished);
    const view = foldRunView(records);
    const page = buildRunPage(records, NO_LIVE_STATE);
    const standing = describeStatus(view, NO_LIVE_STATE.presence);
    return formatStatusLines(PLAIN, { view, page, standing, now: view.lastAt });
  };
  expect(shown(...gateOf(1, true))).toContain("  ✓ 1 Work");
  expect(shown(...gateOf(1, false)).join("\n")).not.toContain("✓ 1 Work");
});
