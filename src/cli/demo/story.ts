import type { FactType, JournalRecord } from "../../core/record.ts";
import { orchestrationMs } from "../../surfaces/terminal/orchestration.ts";
import { viewOf } from "../../surfaces/terminal/run-view.ts";

export type Story = {
  readonly dispatches: number;
  readonly retried: number;
  readonly refusedGates: number;
  readonly sideBySide: number;
  readonly engines: number;
  readonly adopted: number;
  readonly interrupted: number;
  /** Dispatches that were started again although they had ended well before. */
  readonly repeated: number;
  /** Tasks whose agent claimed to be done while a check of the repository failed on what it left. */
  readonly refuted: readonly string[];
  /** Tasks in which a test was made easier to pass. */
  readonly tampered: readonly string[];
  readonly approvals: readonly string[];
  readonly commits: number;
  readonly commit: { readonly commit: string; readonly branch: string } | undefined;
  readonly orchestrationMs: number;
};

/** What a run's events say happened; nothing here is known beforehand. */
export function storyOf(records: readonly JournalRecord[]): Story {
  const started = only(records, "agent.started");
  const finished = only(records, "agent.finished");
  const done = finished.filter((record) => record.outcome === "done");
  const again = started.filter(({ key, seq }) => done.some((end) => end.key === key && end.seq < seq));
  const missed = only(records, "gate.evaluated").filter((record) => !record.passed);
  return {
    dispatches: started.length,
    retried: only(records, "agent.retried").length,
    refusedGates: new Set(missed.map((record) => record.key)).size,
    sideBySide: mostAtOnce(records),
    engines: only(records, "engine.started").length,
    adopted: done.filter((record) => record.adopted).length,
    interrupted: finished.filter((record) => record.outcome === "interrupted").length,
    repeated: again.length,
    refuted: refuted(records),
    tampered: tasksOf(red(records).filter((seen) => seen.check === "exam-old-on-new")),
    approvals: only(records, "approval.decided").map((record) => `${record.choice} by ${record.by}`),
    commits: only(records, "step.finished").filter((end) => end.value !== undefined && isCommit(records, end.key))
      .length,
    commit: viewOf(records, []).commit,
    orchestrationMs: orchestrationMs(records),
  };
}

function only<T extends FactType>(records: readonly JournalRecord[], type: T): JournalRecord<T>[] {
  return records.filter((record): record is JournalRecord<T> => record.type === type);
}

const red = (records: readonly JournalRecord[]) =>
  only(records, "evidence.recorded").filter((seen) => seen.phase === "after" && !seen.passed);

const tasksOf = (seen: readonly { readonly task: string }[]): readonly string[] => [
  ...new Set(seen.map(({ task }) => task)),
];

function refuted(records: readonly JournalRecord[]): readonly string[] {
  const commands = new Set(only(records, "run.started").flatMap((start) => start.commands.map(({ name }) => name)));
  const claimed = new Set(only(records, "claim.recorded").map(({ task, round }) => `${task} ${round}`));
  return tasksOf(red(records).filter((seen) => commands.has(seen.check) && claimed.has(`${seen.task} ${seen.round}`)));
}

function isCommit(records: readonly JournalRecord[], key: string): boolean {
  return records.some((record) => record.type === "step.started" && record.key === key && record.verb === "commit");
}

function mostAtOnce(records: readonly JournalRecord[]): number {
  let [now, most] = [0, 0];
  for (const { type } of records) {
    if (type === "agent.started") now += 1;
    if (type === "agent.finished") now -= 1;
    most = Math.max(most, now);
  }
  return most;
}
