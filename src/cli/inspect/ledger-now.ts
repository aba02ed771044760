import { type RowDifference, rowDifferences } from "../../core/journal/ledger-difference.ts";
import { createDerivation, type StoredRow } from "../../core/journal/ledger-rows.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";

type LedgerOf = {
  readonly host: Pick<Host, "journal" | "ledger">;
  readonly run: string;
  /** Its first records, or all. */
  readonly records: readonly JournalRecord[];
};

export type LedgerNow = { readonly stored: readonly StoredRow[]; readonly differences: Iterable<RowDifference> };

/** The ledger as it is stored, held against the one that the journal gives. */
export async function ledgerNow({ host, run, records }: LedgerOf): Promise<LedgerNow> {
  const derivation = createDerivation();
  derivation.take(records);
  for (;;) {
    const stored = await host.ledger.rows(run);
    const fresh = await host.journal.load(run, derivation.seq);
    // A run at work may have gone on in between: its new rows are no difference.
    if (fresh.length === 0) return { stored, differences: rowDifferences(derivation.rows, stored) };
    derivation.take(fresh);
  }
}
