import { join } from "node:path";
import { type KeptRule, taggedRules } from "./rule-tags.ts";
import { ROOT } from "./sources.ts";

/** Number of rules that each pipeline must have, numbered from 01 under its letter. */
const OWED = [
  { pipeline: "every pipeline", letter: "A", rules: 42 },
  { pipeline: "task", letter: "K", rules: 5 },
  { pipeline: "roadmap", letter: "R", rules: 44 },
  { pipeline: "phases", letter: "P", rules: 80 },
  { pipeline: "ledger", letter: "L", rules: 54 },
  { pipeline: "clusters", letter: "C", rules: 48 },
  { pipeline: "ticket", letter: "T", rules: 56 },
] as const;

export type Book = {
  readonly pipeline: string;
  /** Every required id, in order. */
  readonly ids: readonly string[];
  /** Rules that the sources declare, in order. */
  readonly rules: readonly KeptRule[];
};

const { rules: tagged, problems } = taggedRules(ROOT);

/** Malformed tags, and tags of no pipeline. */
export const TAG_PROBLEMS: readonly string[] = [
  ...problems,
  ...tagged
    .filter(({ id }) => !OWED.some(({ letter }) => id.startsWith(letter)))
    .map(({ id, by }) => `${id}: no pipeline has this letter (${by})`),
];

export const BOOKS: readonly Book[] = OWED.map(({ pipeline, letter, rules }) => ({
  pipeline,
  ids: Array.from({ length: rules }, (_, at) => `${letter}-${String(at + 1).padStart(2, "0")}`),
  rules: tagged.filter(({ id }) => id.startsWith(letter)),
}));

/** `pipelines show` reads this file because a built program has no comments. */
export const RULES_FILE = join(ROOT, "src/pipelines/rules.json");

/** Writes one line per rule, so that a changed sentence is one changed line. */
export function rulesFileOf(books: readonly Book[]): string {
  const parts = books.map(({ pipeline, rules }) => {
    const lines = rules.map((rule) => `    ${JSON.stringify(rule)}`);
    return `  ${JSON.stringify(pipeline)}: [\n${lines.join(",\n")}\n  ]`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}
