import { expect, test } from "vitest";
import type { JournalRecord } from "../core/journal/record.ts";
import { standingChecks, turnText } from "./evidence.ts";
import { viewOf } from "./run-view.ts";

/** Only what the view looks at. */
const record = (fields: object): JournalRecord => ({ v: 1, run: "r1", ts: 0, ...fields }) as unknown as JournalRecord;
const seen = (key: string, check: string, turn: number) =>
  record({
    type: "evidence.recorded",
    key,
    task: "a",
    check,
    tree: "t",
    phase: "after",
    round: 1,
    turn,
    passed: false,
  });
const look = (key: string, value: object, ...records: readonly JournalRecord[]) => [
  record({ type: "step.started", key, phase: "1 Work", verb: "check" }),
  ...records,
  record({ type: "step.finished", key, value }),
];
const FIRST = look("one", {}, seen("one", "test", 1), seen("one", "test", 2));

/** The second look at the same tree, after that answer. */
const turnsAfter = (again: { readonly by: string; readonly ran: boolean }) =>
  viewOf([
    record({ type: "run.started", limits: {}, phases: [] }),
    ...FIRST,
    ...look("two", { again }, seen("two", "test", 2), seen("two", "test", 3), seen("two", "exam-old-on-new", 2)),
  ]).evidence.map(turnText);

test("a run of a check that a person asked for says who did, and no other run does", () => {
  const asked = "third run, asked for by Ada: the clock";
  expect(turnsAfter({ by: "Ada: the clock", ran: true })).toEqual([
    "",
    "second run",
    "second run",
    asked,
    "second run",
  ]);
});

test("where a person left it, nothing was asked for", () => {
  expect(turnsAfter({ by: "Ada", ran: false }).join()).not.toContain("Ada");
});

test("an exam of work that was sent back stands no longer once later work of the task was judged without one", () => {
  const view = (...later: readonly JournalRecord[]) =>
    viewOf([
      record({ type: "run.started", limits: {}, phases: [] }),
      ...look("one", {}, seen("one", "test", 1), seen("one", "exam-old-on-new", 1)),
      ...later,
    ]);
  const names = (...later: readonly JournalRecord[]) =>
    standingChecks(view(...later).evidence).map(({ check }) => check);
  expect(names()).toEqual(["test", "exam-old-on-new"]);
  expect(names(...look("two", {}, seen("two", "test", 1)))).toEqual(["test"]);
});
