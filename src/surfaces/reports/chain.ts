import type { JournalRecord } from "../../core/journal/record.ts";
import type { StampedRecord } from "../../core/ports/host.ts";

export type ChainHash = (before: string, record: Omit<StampedRecord, "chain">) => string;
export type Difference = {
  readonly where: "journal" | "ledger" | "anchor" | "exam";
  readonly message: string;
  /** The record that is wrong, or that the wrong row follows from. */
  readonly seq?: number;
  readonly table?: string;
  readonly id?: number;
};

/**
 * Computes every hash again. A record is compared with the stored hash before it, so that one changed record is
 * one difference and not all that follow.
 */
export function chainDifferences(records: readonly JournalRecord[], hash: ChainHash): readonly Difference[] {
  const found: Difference[] = [];
  let [before, expected] = ["", 1];
  for (const record of records) {
    const { chain, ...bare } = record;
    const { seq, type } = record;
    if (seq !== expected) found.push({ where: "journal", seq: expected, message: missing(expected, seq - 1) });
    // After a gap the hash before is not known, and the gap has been told.
    else if (hash(before, bare) !== chain) {
      const message = `record ${seq} (${type}) is not the one that was hashed: it or its hash was changed`;
      found.push({ where: "journal", seq, message });
    }
    [before, expected] = [chain, seq + 1];
  }
  return found;
}

function missing(from: number, to: number): string {
  return from === to ? `record ${from} is missing` : `the records ${from} to ${to} are missing`;
}

/** The head of the chain as it was written down somewhere else. */
export type Anchor = { readonly place: string; readonly seq?: number; readonly chain: string };

/** `seq:chain`, or the hash alone. */
export function readAnchor(place: string, text: string): Anchor | undefined {
  const [, seq, chain] = /^(?:(\d{1,15}):)?([0-9a-f]{16,128})$/.exec(text.trim()) ?? [];
  if (chain === undefined) return undefined;
  return { place, chain, ...(seq === undefined ? {} : { seq: Number(seq) }) };
}

/** The record that the anchor holds fast, or what speaks against it. */
export function heldBy(anchor: Anchor, records: readonly JournalRecord[]): { readonly seq: number } | Difference {
  const { place, seq, chain } = anchor;
  const held = records.find((record) => record.chain === chain && (seq === undefined || record.seq === seq));
  if (held) return { seq: held.seq };
  const about = seq === undefined ? "" : ` of record ${seq}`;
  const now = records.find((record) => record.seq === seq);
  const instead = now ? `the journal has ${short(now.chain)} there` : "the journal has no such record";
  const message = `${place} holds the hash ${short(chain)}${about}, but ${instead}`;
  return { where: "anchor", message, ...(seq === undefined ? {} : { seq }) };
}

const short = (chain: string): string => chain.slice(0, 12);
