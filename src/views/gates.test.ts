import { expect, test } from "vitest";
import type { JournalRecord, RecordBody } from "../core/journal/record.ts";
import { selectLatestDecisions } from "./gates.ts";
import { NO_LIVE_STATE } from "./page/live-state.ts";
import { buildRunPage } from "./page/page-fold.ts";
import { foldRunView } from "./run-view.ts";

/** A finished run that evaluated one gate at each of these keys. */
function runWith(judged: Readonly<Record<string, boolean>>): readonly JournalRecord[] {
  const base = { commit: "c".repeat(40), tree: "t".repeat(40) };
  const facts: RecordBody[] = Object.entries(judged).flatMap(([key, passed], n): RecordBody[] => [
    { type: "step.started", key, scope: "root", n, verb: "gate", phase: key.split("/")[0] ?? "", print: "" },
    { type: "gate.evaluated", key, gate: "per task", rule: "R-1", passed, actual: 0, need: 1, params: {} },
    {
      type: "step.finished",
      key,
      value: { id: key, gate: "per task", passed, blocked: false, findings: [] },
    },
  ]);
  const started = { type: "run.started", pipeline: "p", version: 1, input: {}, base, phases: [], commands: [] };
  const ended = { type: "run.finished", status: "done", exit: 0 };
  // The cast holds: an event with a stamp is a record.
  return [started, ...facts, ended].map(
    (fact, at) => ({ v: 1, seq: at + 1, ts: at, run: "r", chain: "", ...fact }) as JournalRecord,
  );
}

const stateOf = (judged: Readonly<Record<string, boolean>>) => {
  const records = runWith(judged);
  const { state, because } = buildRunPage(records, NO_LIVE_STATE).head;
  const missed = selectLatestDecisions(foldRunView(records)).filter(({ passed }) => !passed);
  return [state, missed.length, because.includes("gate per task did not pass")];
};

test("a gate that a parallel branch passes is still missed in its own branch, and the run is not green", () => {
  expect(stateOf({ "2 Accept/task-a/per task": false, "2 Accept/task-b/per task": true })).toEqual(["ended", 1, true]);
  expect(stateOf({ "2 Accept/task-1/per task": false, "2 Accept/task-2/per task": false })).toEqual(["ended", 2, true]);
  expect(stateOf({ "1 Write/per task": false, "2 Accept/per task": true })).toEqual(["ended", 1, true]);
});

test("a later round of the same branch replaces the earlier one, in any wave, pass or phase", () => {
  expect(stateOf({ "Work/round-1/a/per task": false, "Work/round-2/a/per task": true })).toEqual(["done", 0, false]);
  expect(stateOf({ "Work/a/per task": false, "Work/a/per task#2": true })).toEqual(["done", 0, false]);
});
