export const CLASSES = ["fix", "feature", "refactor", "breaking", "other"] as const;
export type Class = (typeof CLASSES)[number];

/** Classifies a commit by the label that its author gave it in the subject. */
export function classifySubject(subject: string): Class {
  if (announcesChange(subject)) return "breaking";
  // "fix: ruff format" repairs nothing that a test could show.
  if (UPKEEP.test(subject)) return "refactor";
  const [, kind = ""] = /^\W*([a-z]+)(?:\([^)]*\))?[\]:]/i.exec(subject) ?? [];
  const word = (kind === "" ? (/[a-z]+/i.exec(subject)?.[0] ?? "") : kind).toLowerCase();
  if (FIX.test(word) || (kind === "" && /\bfix(?:es|ed)?\b/i.test(subject))) return "fix";
  if (FEATURE.test(word)) return "feature";
  return REFACTOR.test(word) ? "refactor" : "other";
}

/** The subject announces a change of existing behaviour; "do not drop keys" says the opposite. */
export function announcesChange(subject: string): boolean {
  if (/^\w+(?:\([^)]*\))?!(?:\([^)]*\))?:/.test(subject) || ANYWHERE.test(subject)) return true;
  return FIRST.test(subject.replace(/^(?:\[\w ]+\]|\w+(?:\([^)]*\))?:)?\s*(?:`[^`]+`: *)*/, ""));
}

/** The kind of work that a commit of this class is declared as. */
export function toDeclaredKind(kind: Class): "fix" | "feature" | undefined {
  return kind === "fix" || kind === "feature" ? kind : undefined;
}

const ANYWHERE = /\b(?:breaking|deprecat\w*|reverts?|require node)\b/i;
const FIRST = /^(?:remove|drop|delete|rename|change)[sd]?\b/i;
const UPKEEP =
  /\b(?:ruff|prettier|eslint|linters?|linting|pre-commit|mypy|pyright|typing|type (?:hints?|annotations?)|style checks?|typos?)\b/i;
const FIX = /^(?:fix|fixes|fixed|bug|bugfix|hotfix|patch|security|sec|robustness)$/;
const FEATURE = /^(?:feat|feature|new|add|adds|added|support|supports|allow|implement|introduce|expose|enable)$/;
const REFACTOR = /^(?:refactor|perf|chore|style|clean|cleanup|simplify|tests?|docs|build|ci|deps|meta|types)$/;
