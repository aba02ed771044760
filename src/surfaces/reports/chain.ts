import type { JournalRecord } from "../../core/journal/record.ts";

export type Difference = {
  readonly where: "journal" | "ledger" | "anchor" | "exam";
  readonly message: string;
  /** The record that is wrong, or that the wrong row follows from. */
  readonly seq?: number;
  readonly table?: string;
  readonly id?: number;
  /** The end of a team's run is not marked outside the database: that alone speaks against nobody. */
  readonly unanchored?: true;
  /** Something else lies where the anchor should be. */
  readonly replaced?: true;
};

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

/** What lies where an anchor should be. */
export function unreadable(place: string, text: string): Difference {
  const message = `${place} holds no hash, but ${JSON.stringify(text.slice(0, 60))}: somebody else wrote it`;
  return { where: "anchor", message, unanchored: true, replaced: true };
}

const short = (chain: string): string => chain.slice(0, 12);
