import type { JournalRecord } from "../../core/journal/record.ts";

export type Difference = {
  readonly where: "journal" | "ledger" | "anchor" | "exam";
  readonly message: string;
  /** The record that is wrong, or that the wrong row is derived from. */
  readonly seq?: number;
  readonly table?: string;
  readonly id?: number;
  /** The end of a team's run has no anchor outside the database. This alone is no sign of tampering. */
  readonly unanchored?: true;
  /** The anchor's file has other content. */
  readonly replaced?: true;
};

/** The head of the chain, as recorded in another place. */
export type Anchor = { readonly place: string; readonly seq?: number; readonly chain: string };

/** Parses `seq:chain`, or the hash alone. */
export function parseAnchor(place: string, text: string): Anchor | undefined {
  const [, seq, chain] = /^(?:(\d{1,15}):)?([0-9a-f]{16,128})$/.exec(text.trim()) ?? [];
  if (chain === undefined) return undefined;
  return { place, chain, ...(seq === undefined ? {} : { seq: Number(seq) }) };
}

/** Returns the record that the anchor confirms, or the difference. */
export function matchAnchor(anchor: Anchor, records: readonly JournalRecord[]): { readonly seq: number } | Difference {
  const { place, seq, chain } = anchor;
  const held = records.find((record) => record.chain === chain && (seq === undefined || record.seq === seq));
  if (held) return { seq: held.seq };
  const about = seq === undefined ? "" : ` of record ${seq}`;
  const now = records.find((record) => record.seq === seq);
  const instead = now ? `the journal has ${shortenHash(now.chain)} there` : "the journal has no such record";
  const message = `${place} contains the hash ${shortenHash(chain)}${about}, but ${instead}`;
  return { where: "anchor", message, ...(seq === undefined ? {} : { seq }) };
}

/** Reports an anchor with unreadable content. */
export function createUnreadableAnchorDifference(place: string, text: string): Difference {
  const message = `${place} contains no hash but ${JSON.stringify(text.slice(0, 60))}: another program overwrote it`;
  return { where: "anchor", message, unanchored: true, replaced: true };
}

const shortenHash = (chain: string): string => chain.slice(0, 12);
