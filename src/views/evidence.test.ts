import { expect, test } from "vitest";
import type { JournalRecord } from "../core/journal/record.ts";
import { formatTurn, selectLatestChecks } from "./evidence.ts";
import { foldRunView } from "./run-view.ts";

/** The fields that the view reads. */
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

/** The second run on the same tree, after that answer. */
const turnsAfter = (again: { readonly by: string; readonly ran: boolean }) =>
  foldRunView([
    record({ type: "run.started", limits: {}, phases: [] }),
    ...FIRST,
    ...look("two", { again }, seen("two", "test", 2), seen("two", "test", 3), seen("two", "exam-old-on-new", 2)),
  ]).evidence.map(formatTurn);

test("a re-run that a person requested names them, and no other run does", () => {
  const asked = "third run, requested by Ada: the clock";
  expect(turnsAfter({ by: "Ada: the clock", ran: true })).toEqual([
    "",
    "second run",
    "second run",
    asked,
    "second run",
  ]);
});

test("an answer without a re-run requests nothing", () => {
  expect(turnsAfter({ by: "Ada", ran: false }).join()).not.toContain("Ada");
});

test("an exam is superseded when later work of the task is evaluated without one", () => {
  const view = (...later: readonly JournalRecord[]) =>
    foldRunView([
      record({ type: "run.started", limits: {}, phases: [] }),
      ...look("one", {}, seen("one", "test", 1), seen("one", "exam-old-on-new", 1)),
      ...later,
    ]);
  const names = (...later: readonly JournalRecord[]) =>
    selectLatestChecks(view(...later).evidence).map(({ check }) => check);
  expect(names()).toEqual(["test", "exam-old-on-new"]);
  expect(names(...look("two", {}, seen("two", "test", 1)))).toEqual(["test"]);
});
