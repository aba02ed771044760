import { SignalboxError } from "../core/failure/errors.ts";
import type { Lease, StampedRecord } from "../core/ports/host.ts";

/** What the store knows of a run's owner. */
export type Ownership = { readonly owner: string | null; readonly fence: number };

/** Throws unless the claim is the one that the store holds. */
export function refuseStale(lease: Lease, held: Ownership | undefined): void {
  if (!held) throw runUnknown(lease.run);
  if (held.fence === lease.fence && held.owner === lease.owner) return;
  throw new SignalboxError(
    "FENCED",
    `Run ${lease.run} is no longer owned by ${lease.owner}: ${held.owner ?? "nobody"} holds claim ${held.fence}, this was claim ${lease.fence}.`,
    "Nothing was stored. The other process goes on with the run; stop this one, or look with `signalbox ps`.",
  );
}

/** Throws unless the records continue the journal from its last number, all of the claim's run. */
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

export function runUnknown(run: string): SignalboxError {
  return new SignalboxError(
    "RUN_UNKNOWN",
    `There is no run ${run} here.`,
    "See `signalbox ps` for the runs there are.",
  );
}

export function runExists(run: string): SignalboxError {
  return new SignalboxError("INTERNAL", `Run ${run} exists already.`, "Start the run again: it gets a new id.");
}
