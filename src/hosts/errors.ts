import { SignalboxError } from "../core/errors.ts";
import type { Claim, Stamped } from "../core/ports/host.ts";

/** What the store knows of a run's owner. */
export type Held = { readonly owner: string | null; readonly fence: number };

/** Throws unless the claim is the one that the store holds. */
export function refuseStale(claim: Claim, held: Held | undefined): void {
  if (!held) throw runUnknown(claim.run);
  if (held.fence === claim.fence && held.owner === claim.owner) return;
  throw new SignalboxError(
    "FENCED",
    `Run ${claim.run} is no longer owned by ${claim.owner}: ${held.owner ?? "nobody"} holds claim ${held.fence}, this was claim ${claim.fence}.`,
    "Nothing was stored. The other process goes on with the run; stop this one, or look with `signalbox ps`.",
  );
}

/** Throws unless the records continue the journal from its last number, all of the claim's run. */
export function refuseOutOfOrder(claim: Claim, last: number, records: readonly Stamped[]): void {
  for (const [index, record] of records.entries()) {
    const expected = last + 1 + index;
    if (record.run === claim.run && record.seq === expected) continue;
    throw new SignalboxError(
      "INTERNAL",
      `Record ${record.seq} of run ${record.run} cannot be number ${expected} of run ${claim.run}.`,
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
