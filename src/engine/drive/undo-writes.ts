import type { WriteResult } from "../../core/authoring/verbs.ts";
import type { WriteRequest } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";

/**
 * Lists the writes to the checkout that a canceled run reverts: for each file the last one that was marked as
 * temporary, and only if the file is unchanged since.
 */
export function listUndoWrites(records: readonly JournalRecord[]): readonly WriteRequest[] {
  const writes = new Set(
    records.flatMap((each) => (each.type === "step.started" && each.verb === "write" ? each.key : [])),
  );
  const undone = new Map<string, WriteRequest>();
  for (const record of records) {
    if (record.type !== "step.finished" || !writes.has(record.key)) continue;
    // The value of this verb, as the engine has recorded it.
    const { hash, undo } = (record.value ?? {}) as Partial<WriteResult>;
    if (hash && undo) undone.set(undo.path, { ...undo, ifHash: hash, to: "checkout" });
  }
  return [...undone.values()];
}
