import { type RowDifference, rowDifferences } from "../../core/journal/ledger-difference.ts";
import { createDerivation, type StoredRow } from "../../core/journal/ledger-rows.ts";
import type { RecordedRun } from "../runs/one-run.ts";

export type LedgerNow = { readonly stored: readonly StoredRow[]; readonly differences: Iterable<RowDifference> };

/** The ledger as it is stored, held against the one that the journal gives. */
export async function ledgerNow({ store, row, records }: RecordedRun): Promise<LedgerNow> {
  const derivation = createDerivation();
  derivation.take(records);
  for (;;) {
    const stored = await store.host.ledger.rows(row.id);
    const fresh = await store.host.journal.load(row.id, derivation.seq);
    // A run at work may have gone on in between: its new rows are no difference.
    if (fresh.length === 0) return { stored, differences: rowDifferences(derivation.rows, stored) };
    derivation.take(fresh);
  }
}
