import { type RowDifference, rowDifferences } from "../core/ledger-difference.ts";
import { createDerivation, type StoredRow } from "../core/ledger-rows.ts";
import type { RunBook } from "./run-book.ts";

export type LedgerNow = { readonly stored: readonly StoredRow[]; readonly differences: Iterable<RowDifference> };

/** The ledger as it is stored, held against the one that the journal gives. */
export async function ledgerNow({ book, row, records }: RunBook): Promise<LedgerNow> {
  const derivation = createDerivation();
  derivation.take(records);
  for (;;) {
    const stored = await book.host.ledger.rows(row.id);
    const fresh = await book.host.journal.load(row.id, derivation.seq);
    // A run at work may have gone on in between: its new rows are no difference.
    if (fresh.length === 0) return { stored, differences: rowDifferences(derivation.rows, stored) };
    derivation.take(fresh);
  }
}
