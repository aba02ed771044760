import type { JournalRecord, RecordBody } from "../src/core/journal/record.ts";
import { NO_LIVE_STATE } from "../src/views/page/live-state.ts";
import { createPageFold } from "../src/views/page/page-fold.ts";
import { atMost, type Figure, shown } from "./figure.ts";

const STEPS = 5_000;
/** Dispatch, check and gate, with their records. */
const STEPS_OF_A_TASK = 3;
const FLUSHES = 50;

/** Measures how long a person waits for the page of a long run, at first and while the run continues. */
export function pageFigures(): Figure[] {
  const records = createLongJournal(STEPS / STEPS_OF_A_TASK);
  const fold = createPageFold();
  const early = records.slice(0, -FLUSHES * 10);
  const taken = measureTime(() => {
    for (const record of early) fold.take(record);
  });
  const first = measureTime(() => fold.page(NO_LIVE_STATE));
  const flushes: number[] = [];
  let rows = 0;
  for (let at = early.length; at < records.length; at += 10) {
    const after = records[at - 1]?.seq ?? 0;
    for (const record of records.slice(at, at + 10)) fold.take(record);
    flushes.push(measureTime(() => (rows += fold.changeAfter(after, NO_LIVE_STATE).page.rows.length)));
  }
  const median = flushes.toSorted((a, b) => a - b)[Math.floor(flushes.length / 2)] ?? 0;
  const from = `${shown(rows / flushes.length)} rows each; taking all in ${shown(taken)} ms, the first page ${shown(first)} ms`;
  const name = `a change of the page of a run of ${STEPS.toLocaleString("en")} steps, after ten records`;
  return [atMost({ name, value: median, target: 10, unit: "ms", from })];
}

function measureTime(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function createLongJournal(tasks: number): JournalRecord[] {
  const facts = Array.from({ length: Math.ceil(tasks) }, (_, n) => listTaskFacts(`t${n}`)).flat();
  const began: RecordBody = {
    ...{ type: "run.started", pipeline: "long", version: 1, hash: "", input: {}, phases: ["1 Work"] },
    ...{ approvals: "autonomous", base: { commit: "c", tree: "t" }, commands: [], limits: {}, minConfidence: "low" },
  };
  return [began, ...facts].map((fact, index) => {
    const stamp = { v: 1, seq: index + 1, ts: index, run: "r", chain: "" };
    // A fact with a stamp is a record.
    return { ...fact, ...stamp } as JournalRecord;
  });
}

function listTaskFacts(task: string): RecordBody[] {
  const key = (name: string): string => `1 Work/${task}/${name}`;
  const begun = (name: string, verb: string): RecordBody => ({
    ...{ type: "step.started", key: key(name), verb, phase: "1 Work", scope: `root/0.${task}`, n: 0, print: "" },
  });
  const who = { key: key("writer"), role: "writer", instance: task, task, round: 1, attempt: 1 };
  return [
    begun("writer", "agent"),
    { type: "agent.started", ...who, effect: `r/${key("writer")}@1`, nonce: "n" },
    { type: "agent.finished", ...who, outcome: "done", ms: 9, after: task, changed: ["a.txt"], usage: { usd: 0.1 } },
    { type: "claim.recorded", ...who, claim: { status: "done", summary: "x".repeat(200) } },
    { type: "step.finished", key: key("writer"), value: null },
    begun("check", "check"),
    {
      ...{ type: "evidence.recorded", key: key("check"), task, check: "test", phase: "after", round: 1, passed: true },
      ...{ tree: task, command: "npm test", exitCode: 0, ms: 9, digest: "d", snippet: "ok", turn: 1 },
    },
    { type: "step.finished", key: key("check"), value: null },
    begun("work", "gate"),
    {
      ...{ type: "gate.evaluated", key: key("work"), gate: `work ${task}`, rule: "K-01", passed: true, actual: 0 },
      ...{ need: 0, params: {} },
    },
    { type: "step.finished", key: key("work"), value: null },
  ];
}
