import { findRowDifferences, type RowDifference } from "../../core/journal/ledger-difference.ts";
import { createDerivation, type StoredRow } from "../../core/journal/ledger-rows.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";

type LedgerRequest = {
  readonly host: Pick<Host, "journal" | "ledger">;
  readonly run: string;
  /** The run's first records, or all of them. */
  readonly records: readonly JournalRecord[];
};

export type CurrentLedger = { readonly stored: readonly StoredRow[]; readonly differences: Iterable<RowDifference> };

/** Compares the stored ledger with the one derived from the journal. */
export async function readCurrentLedger({ host, run, records }: LedgerRequest): Promise<CurrentLedger> {
  const derivation = createDerivation();
  derivation.take(records);
  for (;;) {
    const stored = await host.ledger.rows(run);
    const fresh = await host.journal.load(run, derivation.seq);
    // An active run may have written records meanwhile, and the rows of those are not differences.
    if (fresh.length === 0) return { stored, differences: findRowDifferences(derivation.rows, stored) };
    derivation.take(fresh);
  }
}
