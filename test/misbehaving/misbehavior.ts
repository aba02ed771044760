import type { Json } from "../../src/core/text/json.ts";

/** One action of the actor, as it is instructed. */
export type Step = { readonly do: string } & Readonly<Record<string, Json>>;

/** Texts that a script may need, with the nonce of the dispatch. */
export type Texts = {
  readonly good: string;
  /** Valid, with the opposite statement. */
  readonly opposite: string;
  /** Valid, but for another dispatch. */
  readonly foreign: string;
  readonly placeholder: string;
  /** A value that must not appear anywhere, and a contract that contains it. */
  readonly secret: string;
  readonly telltale: string;
  /** Limit of the printed output. */
  readonly mostBytes: number;
};

export const COLUMNS = ["command", "codex", "claude", "goose", "gemini", "scripted", "mailbox"] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** `done`, or the class and the code of the failure that a run records. */
export type Verdict = "done" | `${"transient" | "deterministic" | "contract" | "limit"} ${string}`;

/** Does not exist for this protocol. */
export const NONE = "none";

/** The limit that is set short, because it must detect the misbehavior. */
export type LimitName = "silence" | "stay" | "drip" | "wall" | "output";

export type Misbehavior = {
  readonly id: string;
  /** Describes the behavior, as a sentence about the agent. */
  readonly does: string;
  /** Actions before it reads its prompt. */
  readonly early?: readonly Step[];
  readonly steps?: (texts: Texts) => readonly Step[];
  readonly limit?: LimitName;
  /** Also run in the sandbox; the expected results there if they differ. */
  readonly walled?: true | Verdicts;
  readonly role?: "writer";
  /** Number of its processes that are not found without a sandbox. */
  readonly lost?: number;
  readonly gives: Verdicts;
};

export type Verdicts = Readonly<Partial<Record<ColumnName, Verdict | typeof NONE>>> & { readonly others: Verdict };

export type Group = { readonly title: string; readonly list: readonly Misbehavior[] };

type CellPlace = { readonly column: ColumnName; readonly walled: boolean };

/** Returns the expected result of a cell. */
export function verdictFor({ gives, walled }: Misbehavior, place: CellPlace): Verdict | typeof NONE {
  const open = gives[place.column] ?? gives.others;
  if (!place.walled || open === NONE) return open;
  // A dispatch in a mailbox has no process to confine.
  if (walled === undefined || place.column === "mailbox") return NONE;
  return walled === true ? open : (walled[place.column] ?? walled.others);
}
