import { SignalboxError } from "../../core/failure/errors.ts";
import { chainDifferences } from "../../core/journal/chain-differences.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { World } from "../../core/ports/world.ts";
import { chained } from "./recorder.ts";

/** Before an engine goes on with a run: what somebody else put into its journal decides nothing. */
export function refuseDamaged(world: Pick<World, "hash">, run: string, records: readonly JournalRecord[]): void {
  const [first] = chainDifferences(records, (before, record) => chained(world, before, record));
  if (!first) return;
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${run} was changed from outside: ${first.message}.`,
    `Nothing was done. See all that differs with \`signalbox evidence ${run} --verify\`, and restore a backup; or start a new run.`,
  );
}
