import { SignalboxError } from "../../core/failure/errors.ts";
import { type ChainHead, findChainDifferences } from "../../core/journal/chain-differences.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { World } from "../../core/ports/world.ts";
import { hashChain } from "./recorder.ts";

type JournalSlice = {
  readonly run: string;
  readonly records: readonly JournalRecord[];
  /** The chain head that the records follow from, if they are not all records of the run. */
  readonly from?: ChainHead;
};

/** Refuses a journal that was changed from outside, before a run is driven or reported. */
export function refuseDamaged(world: Pick<World, "hash">, { run, records, from }: JournalSlice): void {
  const [first] = findChainDifferences(records, (before, record) => hashChain(world, before, record), from);
  if (!first) return;
  throw new SignalboxError(
    "JOURNAL_DAMAGED",
    `The journal of run ${run} was changed from outside: ${first.message}.`,
    `Nothing was done. List all differences with \`signalbox evidence ${run} --verify\` and restore a backup, or start a new run.`,
  );
}
