import type { Charter } from "../../src/pipelines/charter.ts";
import { CHARTERS } from "../../src/pipelines/charters.ts";

/** What is owed: how many rules each charter must have, numbered from 01 under its letter. */
const OWED = [
  { pipeline: "every pipeline", letter: "A", rules: 32 },
  { pipeline: "roadmap", letter: "R", rules: 44 },
  { pipeline: "phases", letter: "P", rules: 80 },
  { pipeline: "ledger", letter: "L", rules: 54 },
  { pipeline: "clusters", letter: "C", rules: 48 },
  { pipeline: "ticket", letter: "T", rules: 56 },
] as const;

export type Book = {
  readonly pipeline: string;
  /** Every id that is owed, in order. */
  readonly ids: readonly string[];
  /** What the pipeline says of them; empty while it says nothing. */
  readonly charter: Charter;
};

export const BOOKS: readonly Book[] = OWED.map(({ pipeline, letter, rules }) => ({
  pipeline,
  ids: Array.from({ length: rules }, (_, at) => `${letter}-${String(at + 1).padStart(2, "0")}`),
  charter: CHARTERS[pipeline] ?? [],
}));
