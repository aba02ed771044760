import type { JournalRecord, RecordType } from "../../core/journal/record.ts";
import { hasPassedRules } from "../../views/gates.ts";
import { foldRunView, type RunView } from "../../views/run-view.ts";

export type DemoSummary = {
  readonly dispatches: number;
  readonly retried: number;
  readonly refusedGates: number;
  readonly sideBySide: number;
  readonly engines: number;
  readonly adopted: number;
  readonly interrupted: number;
  /** Dispatches that were started again although they had succeeded before. */
  readonly repeated: number;
  /** Tasks whose agent claimed success while one of the repository's checks failed on its work. */
  readonly refuted: readonly string[];
  /** Tasks in which a test was weakened. */
  readonly tampered: readonly string[];
  readonly approvals: readonly string[];
  readonly commits: number;
  readonly commit: { readonly commit: string; readonly branch: string } | undefined;
  readonly orchestrationMs: number;
};

/** Counts what happened in a run from its events alone. */
export function summarizeDemo(records: readonly JournalRecord[]): DemoSummary {
  const view = foldRunView(records);
  const started = filterRecords(records, "agent.started");
  const done = filterRecords(records, "agent.finished").filter((record) => record.outcome === "done");
  const again = started.filter(({ key, seq }) => done.some((end) => end.key === key && end.seq < seq));
  return {
    dispatches: view.spent.attempts,
    retried: view.spent.retries,
    refusedGates: view.gates.filter((gate) => !hasPassedRules(gate)).length,
    sideBySide: countMaxParallel(records),
    engines: filterRecords(records, "engine.started").length,
    adopted: done.filter((record) => record.adopted).length,
    interrupted: view.spent.interruptions,
    repeated: again.length,
    refuted: listRefutedTasks(records, view),
    tampered: listTasks(listFailedChecks(view).filter((seen) => seen.check === "exam-old-on-new")),
    approvals: filterRecords(records, "approval.decided").map((record) => `${record.choice} by ${record.by}`),
    commits: view.commits.length,
    commit: view.commits.at(-1),
    orchestrationMs: view.orchestrationMs,
  };
}

function filterRecords<T extends RecordType>(records: readonly JournalRecord[], type: T): JournalRecord<T>[] {
  return records.filter((record): record is JournalRecord<T> => record.type === type);
}

const listFailedChecks = ({ evidence }: RunView) => evidence.filter((seen) => seen.phase === "after" && !seen.passed);

const listTasks = (seen: readonly { readonly task: string }[]): readonly string[] => [
  ...new Set(seen.map(({ task }) => task)),
];

function listRefutedTasks(records: readonly JournalRecord[], view: RunView): readonly string[] {
  const commands = new Set(view.commands.map(({ name }) => name));
  const claimed = new Set(filterRecords(records, "claim.recorded").map(({ task, round }) => `${task} ${round}`));
  return listTasks(
    listFailedChecks(view).filter((seen) => commands.has(seen.check) && claimed.has(`${seen.task} ${seen.round}`)),
  );
}

function countMaxParallel(records: readonly JournalRecord[]): number {
  let [now, most] = [0, 0];
  for (const { type } of records) {
    if (type === "agent.started") now += 1;
    if (type === "agent.finished") now -= 1;
    most = Math.max(most, now);
  }
  return most;
}
