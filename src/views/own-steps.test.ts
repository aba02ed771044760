import { expect, test } from "vitest";
import type { JournalRecord } from "../core/journal/record.ts";
import { selectRecentOwnSteps } from "./own-steps.ts";
import { foldRunView } from "./run-view.ts";

const stamp = (seq: number) => ({ v: 1 as const, seq, ts: seq * 1000, run: "r", chain: "" });
const started = (seq: number, key: string, verb = "act"): JournalRecord => ({
  type: "step.started",
  key,
  scope: "root",
  n: seq,
  verb,
  phase: "1 Work",
  print: "",
  ...stamp(seq),
});
const failure = { class: "transient", code: "act_threw", message: "no" } as const;

test("steps of the pipeline have the name their author gave, with their result or failure", () => {
  const records: readonly JournalRecord[] = [
    started(1, "1 Work/a/post%2Fcomment %231 100%25#2"),
    started(2, "1 Work/read"),
    started(3, "1 Work/check", "check"),
    { type: "step.finished", key: "1 Work/a/post%2Fcomment %231 100%25#2", value: { id: 7 }, ...stamp(4) },
    { type: "step.finished", key: "1 Work/read", failure, ...stamp(5) },
    { type: "step.finished", key: "1 Work/check", value: { passed: true }, ...stamp(6) },
    started(7, "1 Work/open"),
  ];
  const phase = "1 Work";
  expect(foldRunView(records).ownSteps).toEqual([
    {
      key: "1 Work/a/post%2Fcomment %231 100%25#2",
      name: "post/comment #1 100%#2",
      phase,
      startedAt: 1000,
      endedAt: 4000,
      claim: { id: 7 },
    },
    { key: "1 Work/read", name: "read", phase, startedAt: 2000, endedAt: 5000, failure },
    { key: "1 Work/open", name: "open", phase, startedAt: 7000 },
  ]);
});

test("the last five ended steps are recent, and all that are running", () => {
  const many = Array.from({ length: 9 }, (_, at): readonly JournalRecord[] => [
    started(2 * at + 2, `1 Work/post ${at}`),
    { type: "step.finished", key: `1 Work/post ${at}`, value: at, ...stamp(2 * at + 3) },
  ]).flat();
  const view = foldRunView([started(1, "1 Work/open"), ...many]);
  const names = selectRecentOwnSteps(view).map(({ name }) => name);
  expect(names).toEqual(["open", "post 4", "post 5", "post 6", "post 7", "post 8"]);
});
