import type { StampedRecord } from "../ports/host.ts";
import type { JournalRecord } from "./record.ts";

export type ChainHash = (before: string, record: Omit<StampedRecord, "chain">) => string;

/** Record before the first one that is checked. */
export type ChainHead = { readonly seq: number; readonly chain: string };

/** Record that does not match its hash, or is missing. */
export type ChainDifference = { readonly where: "journal"; readonly seq: number; readonly message: string };

/**
 * Recomputes every hash. Each record is compared with the stored hash before it, so that one changed record is one
 * difference and does not invalidate all later records.
 */
export function findChainDifferences(
  records: readonly JournalRecord[],
  hash: ChainHash,
  from: ChainHead = { seq: 0, chain: "" },
): readonly ChainDifference[] {
  const found: ChainDifference[] = [];
  let [before, expected] = [from.chain, from.seq + 1];
  for (const record of records) {
    const { chain, ...bare } = record;
    const { seq, type } = record;
    if (seq !== expected)
      found.push({ where: "journal", seq: expected, message: formatMissingRecords(expected, seq - 1) });
    // After a gap the previous hash is unknown, and the gap is already reported.
    else if (hash(before, bare) !== chain) {
      const message = `record ${seq} (${type}) does not match its hash: the record or its hash was changed`;
      found.push({ where: "journal", seq, message });
    }
    [before, expected] = [chain, seq + 1];
  }
  return found;
}

function formatMissingRecords(from: number, to: number): string {
  return from === to ? `record ${from} is missing` : `the records ${from} to ${to} are missing`;
}
