import type { Json } from "../../src/core/text/json.ts";

/** One deed of the actor, as it is told to it. */
export type Step = { readonly do: string } & Readonly<Record<string, Json>>;

/** Texts that a play may need; the nonce in them is that of the dispatch. */
export type Texts = {
  readonly good: string;
  /** Fits as well, and says the opposite. */
  readonly opposite: string;
  /** Fits, but was meant for another dispatch. */
  readonly foreign: string;
  readonly placeholder: string;
  /** A value that must come out nowhere, and a contract that tells it. */
  readonly secret: string;
  readonly telltale: string;
  /** How much may be printed. */
  readonly mostBytes: number;
};

export const COLUMNS = ["command", "codex", "claude", "goose", "gemini", "scripted", "mailbox"] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** `done`, or the class and the code of the failure that a run records. */
export type Verdict = "done" | `${"transient" | "deterministic" | "contract" | "limit"} ${string}`;

/** Not there, because this way of talking has no such thing. */
export const NONE = "none";

/** The limit that is kept short, because it is the one that has to notice. */
export type LimitName = "silence" | "stay" | "drip" | "wall" | "output";

export type Misbehavior = {
  readonly id: string;
  /** In plain words, as a sentence about the agent. */
  readonly does: string;
  /** Before it has read what it is asked. */
  readonly early?: readonly Step[];
  readonly steps?: (texts: Texts) => readonly Step[];
  readonly limit?: LimitName;
  /** Played again within the sandbox; what comes of it there, where that is not the same. */
  readonly walled?: true | Verdicts;
  readonly role?: "writer";
  /** How many of its processes nobody finds without a sandbox. */
  readonly lost?: number;
  readonly gives: Verdicts;
};

export type Verdicts = Readonly<Partial<Record<ColumnName, Verdict | typeof NONE>>> & { readonly others: Verdict };

export type Group = { readonly title: string; readonly list: readonly Misbehavior[] };

type Place = { readonly column: ColumnName; readonly walled: boolean };

/** What must come of it there. */
export function verdictFor({ gives, walled }: Misbehavior, place: Place): Verdict | typeof NONE {
  const open = gives[place.column] ?? gives.others;
  if (!place.walled || open === NONE) return open;
  // A dispatch in a mailbox has no process that could be walled in.
  if (walled === undefined || place.column === "mailbox") return NONE;
  return walled === true ? open : (walled[place.column] ?? walled.others);
}
