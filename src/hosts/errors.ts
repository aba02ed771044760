import { SignalboxError } from "../core/failure/errors.ts";
import type { Lease, StampedRecord } from "../core/ports/host.ts";

/** The stored owner of a run. */
export type RunOwnership = { readonly owner: string | null; readonly fence: number };

/** Throws unless the claim is the stored one. */
export function refuseStale(lease: Lease, held: RunOwnership | undefined): void {
  if (!held) throw createUnknownRunError(lease.run);
  if (held.fence === lease.fence && held.owner === lease.owner) return;
  throw new SignalboxError(
    "FENCED",
    `Run ${lease.run} is no longer owned by ${lease.owner}: ${held.owner ?? "nobody"} holds claim ${held.fence}, this was claim ${lease.fence}.`,
    "Nothing was stored. The other process continues the run; stop this one, or check with `signalbox ps`.",
  );
}

/** Throws unless the records belong to the claim's run and continue its journal without a gap. */
export function refuseOutOfOrder(lease: Lease, last: number, records: readonly StampedRecord[]): void {
  for (const [index, record] of records.entries()) {
    const expected = last + 1 + index;
    if (record.run === lease.run && record.seq === expected) continue;
    throw new SignalboxError(
      "INTERNAL",
      `Record ${record.seq} of run ${record.run} cannot be number ${expected} of run ${lease.run}.`,
      "Nothing was stored. This is a bug in Signalbox: please report it with the output of `signalbox events --json`.",
    );
  }
}

export function createUnknownRunError(run: string): SignalboxError {
  return new SignalboxError("RUN_UNKNOWN", `There is no run ${run} here.`, "List the runs with `signalbox ps`.");
}

export function createRunExistsError(run: string): SignalboxError {
  return new SignalboxError("INTERNAL", `Run ${run} already exists.`, "Start the run again: it gets a new id.");
}
