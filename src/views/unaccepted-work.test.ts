import { expect, test } from "vitest";
import type { JournalRecord, RecordBody } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import { describeStatus } from "./run-status-text.ts";
import { foldRunView } from "./run-view.ts";
import { getRunWork } from "./unaccepted-work.ts";

const STARTED: RecordBody = {
  type: "run.started",
  pipeline: "p",
  version: 1,
  hash: "",
  input: null,
  phases: ["1 Plan", "2 Build"],
  approvals: "interactive",
  base: { commit: "c0", tree: "t0" },
  commands: [{ name: "test", run: "npm test" }],
  limits: {},
  minConfidence: "medium",
};
const step = (key: string, phase: string, verb: string): RecordBody => {
  return { type: "step.started", key, scope: "", n: 0, verb, phase, print: "" };
};
const left = (key: string, after: string): RecordBody => {
  const place = { key, role: "builder", instance: "", round: 1, attempt: 1 };
  return { type: "agent.finished", ...place, outcome: "done", after };
};
const ended = (status: "done" | "blocked", report?: Json): RecordBody => {
  return { type: "run.finished", status, exit: 3, reason: "why", ...(report === undefined ? {} : { report }) };
};
const runOf = (...bodies: RecordBody[]) =>
  foldRunView(
    [STARTED, ...bodies].map(
      (body, at): JournalRecord => ({ ...body, v: 1, seq: at + 1, ts: at, run: "r", chain: "" }),
    ),
  );

const BUILT = [
  step("1", "1 Plan", "agent"),
  { type: "step.finished", key: "1" },
  step("2", "2 Build", "agent"),
  left("2", "t1"),
] as const;

test("[A-33] a tree that an agent left and no commit contains is the unaccepted work, with the reason", () => {
  expect(getRunWork(runOf(...BUILT, ended("blocked")))).toEqual({
    unaccepted: { tree: "t1", by: "builder", why: "why" },
  });
  expect(getRunWork(runOf(step("2", "2 Build", "agent"), left("2", "t0"), ended("blocked")))).toEqual({});
});

test("[A-33] work whose answer could not be used is unaccepted work too", () => {
  const place = { key: "2", role: "builder", instance: "", round: 1, attempt: 1 };
  const failure = { class: "contract", code: "contract_invalid", message: "it cannot be read" } as const;
  const failed: RecordBody = { type: "agent.finished", ...place, outcome: "failed", failure, kept: "t2" };
  const run = runOf(step("2", "2 Build", "agent"), failed, ended("blocked"));
  expect(getRunWork(run)).toEqual({ unaccepted: { tree: "t2", by: "builder", why: "why" } });
});

test("work after the last commit is named next to it, except for a successful run", () => {
  const commit: RecordBody[] = [
    step("3", "2 Build", "commit"),
    { type: "step.finished", key: "3", value: { commit: "c1", branch: "b" } },
  ];
  const more = [step("4", "2 Build", "agent"), left("4", "t2")];
  const accepted = { commit: "c1", branch: "b" };
  expect(getRunWork(runOf(...BUILT, ...commit, ...more, ended("blocked")))).toMatchObject({
    accepted,
    unaccepted: { tree: "t2" },
  });
  expect(getRunWork(runOf(...BUILT, ...commit, ...more, ended("done")))).toEqual({ accepted });
});

test("a pipeline that knows which tree is its work says so in its report", () => {
  const report = { work: { tree: "t9", accepted: false, why: "five of five" } };
  expect(getRunWork(runOf(...BUILT, ended("blocked", report)))).toEqual({
    unaccepted: { tree: "t9", why: "five of five" },
  });
});

test("[A-33] a blocked run names the phase and the commands to view, land and continue its work", () => {
  const view = runOf(...BUILT, ended("blocked"));
  expect(view.phases.map(({ title, state }) => [title, state])).toEqual([
    ["1 Plan", "done"],
    ["2 Build", "failed"],
  ]);
  expect(describeStatus(view, { owned: false, answered: new Set() }).next.slice(-3)).toEqual([
    "signalbox diff r",
    "signalbox land r --unaccepted",
    'signalbox run p --from "r:2 Build"',
  ]);
});

test("the running command and its duration are the reason of a run with a running check", () => {
  const view = runOf(step("1", "1 Plan", "check"));
  const command = { name: "test", run: "npm test", since: 0, now: 125_000 };
  const presence = { owned: true, answered: new Set<string>() };
  expect(describeStatus(view, { ...presence, command }).because).toBe(
    "test (npm test) has been running for 2 min 5 s in 1 Plan",
  );
  expect(describeStatus(view, presence).because).toBe("the engine is running the project's checks in 1 Plan");
});
