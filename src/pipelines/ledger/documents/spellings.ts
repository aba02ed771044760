import { z } from "zod";
import type { WorkKind } from "../../work-kind.ts";

/** Words of this pipeline with their accepted spellings. Case, dashes and spaces are ignored. */
const SPELLINGS = {
  DONE: ["success", "ok", "complete", "completed", "passed", "pass"],
  NEEDS_REVISION: ["needs_changes", "revise", "revision"],
  ERROR: ["failed", "failure", "fail", "blocked"],
} as const;

const JUDGEMENTS = {
  approve: ["approved", "approves", "pass", "passed", "ok", "lgtm", "accept", "accepted"],
  needs_revision: [
    "revise",
    "revision",
    "needs_changes",
    "request_changes",
    "changes_requested",
    "needs_work",
    "reject",
  ],
  blocker: ["block", "blocked", "blocking", "blocks"],
} as const;

const SEVERITY_WORDS = {
  blocker: ["blocking", "block", "fatal"],
  critical: ["severe", "high"],
  major: ["medium", "moderate", "important", "warning", "error"],
  minor: ["low", "info", "note", "nit", "trivial", "suggestion"],
} as const;

const RISK_WORDS = {
  "🟢": ["green", "low", "none"],
  "🟡": ["yellow", "medium", "moderate", "amber"],
  "🔴": ["red", "high", "critical"],
} as const;

const KIND_WORDS = {
  fix: ["bugfix", "bug_fix", "bug", "repair", "hotfix"],
  feature: ["feat", "new_feature", "enhancement"],
  refactor: ["refactoring", "clean_up", "cleanup"],
  docs: ["doc", "documentation"],
  other: ["chore", "none", "test", "tests"],
} as const satisfies Readonly<Record<WorkKind, readonly string[]>>;

/** Builds a schema that accepts a word in any of its spellings. */
function createWordSchema<const W extends string>(means: Readonly<Record<W, readonly string[]>>) {
  // The keys of a record are the names it was declared with.
  const words = Object.keys(means) as [W, ...W[]];
  const known = new Map(
    words.flatMap((word) => [word, ...means[word]].map((spelling) => [normalizeWord(spelling), word])),
  );
  return z.preprocess(
    (said) => (typeof said === "string" ? (known.get(normalizeWord(said)) ?? said) : said),
    z.enum(words),
  );
}

const normalizeWord = (said: string): string =>
  said
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "_");

export const Status = createWordSchema(SPELLINGS);
export type Status = z.infer<typeof Status>;
export const Judgement = createWordSchema(JUDGEMENTS);
export const Severity = createWordSchema(SEVERITY_WORDS);
export const Risk = createWordSchema(RISK_WORDS);
export type Risk = z.infer<typeof Risk>;
export const Kind = createWordSchema(KIND_WORDS);

/** From lowest to highest. */
export const RISKS: readonly Risk[] = ["🟢", "🟡", "🔴"];
