import { createFailedPhases } from "../../core/failed-phases.ts";
import { PREFLIGHT } from "../../core/preflight.ts";
import type { JournalRecord } from "../../core/record.ts";

export type PhaseState = "done" | "failed" | "current" | "skipped" | "not started";
export type PhaseView = { readonly title: string; readonly state: PhaseState; readonly reason?: string };

/** Which headings a run has come to. */
export function createPhaseView() {
  const visited = new Set<string>();
  const skipped = new Map<string, string>();
  /** Steps that have not ended, with the heading that they stand under. */
  const open = new Map<string, string>();
  const failures = createFailedPhases();
  let latest: string | undefined;
  return {
    take(record: JournalRecord): void {
      failures.take(record);
      if (record.type === "phase.skipped") skipped.set(record.title, record.reason);
      if (record.type === "step.finished") open.delete(record.key);
      if (record.type !== "step.started") return;
      latest = record.phase;
      visited.add(record.phase);
      open.set(record.key, record.phase);
    },
    reached: (): readonly string[] => [...visited],
    view(titles: readonly string[], finished: boolean): PhaseView[] {
      const current = new Set([...open.values(), ...(latest === undefined ? [] : [latest])]);
      const failed = failures.failed();
      const stateOf = (title: string): PhaseState => {
        if (visited.has(title) && !finished && current.has(title)) return "current";
        if (visited.has(title)) return failed.has(title) ? "failed" : "done";
        return skipped.has(title) ? "skipped" : "not started";
      };
      // No pipeline declares it, and it comes before all that one does.
      const first = visited.has(PREFLIGHT) && !titles.includes(PREFLIGHT) ? [PREFLIGHT] : [];
      return [...first, ...titles].map((title) => {
        const state = stateOf(title);
        const reason = state === "failed" ? failed.get(title) : visited.has(title) ? undefined : skipped.get(title);
        return { title, state, ...(reason === undefined ? {} : { reason }) };
      });
    },
  };
}
