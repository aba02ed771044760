import type { JournalRecord } from "../../../core/journal/record.ts";
import { isRejectedResult } from "../../evidence.ts";

type CheckVerdict = { readonly seq: number; readonly bad: boolean };

/**
 * Collects evidence that contradicts the claim about a tree. Calls `changed` with the dispatch whose row is affected.
 */
export function createContradictions(changed: (key: string, seq: number) => void) {
  /** Dispatches by the tree that they left. */
  const leftBy = new Map<string, Set<string>>();
  /** The latest result by tree and check. */
  const seen = new Map<string, Map<string, CheckVerdict>>();
  return {
    left({ key, after }: JournalRecord<"agent.finished">): void {
      if (after === undefined) return;
      leftBy.set(after, (leftBy.get(after) ?? new Set()).add(key));
    },
    seen(record: JournalRecord<"evidence.recorded">): void {
      const { tree, check, phase, outcome, seq } = record;
      if (phase === "baseline" && outcome !== "not-run") return;
      const checks = seen.get(tree) ?? new Map<string, CheckVerdict>();
      const before = checks.get(check)?.bad ?? false;
      const bad = isRejectedResult(record);
      seen.set(tree, checks.set(check, { seq, bad }));
      if (before || bad) for (const key of leftBy.get(tree) ?? []) changed(key, seq);
    },
    of(tree: string | undefined): readonly number[] {
      const checks = tree === undefined ? undefined : seen.get(tree);
      return [...(checks?.values() ?? [])].flatMap(({ seq, bad }) => (bad ? [seq] : []));
    },
  };
}
