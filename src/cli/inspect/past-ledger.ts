import { createDerivation } from "../../core/journal/ledger-rows.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createDerivedLedger, type DerivedLedger } from "../../hosts/ledger/derived-ledger.ts";

/** The ledger as it was before a record. Calls must be in the order of the records. */
export type PastLedger = { before(seq: number): DerivedLedger };

/** Fills the ledger from the journal up to the requested record, so later records have no influence. */
export function createPastLedger(records: readonly JournalRecord[]): PastLedger {
  const ledger = createDerivedLedger();
  const derivation = createDerivation();
  let next = 0;
  return {
    before(seq) {
      const from = next;
      while ((records[next]?.seq ?? Number.POSITIVE_INFINITY) < seq) next += 1;
      ledger.add(derivation.take(records.slice(from, next)));
      return ledger;
    },
  };
}
