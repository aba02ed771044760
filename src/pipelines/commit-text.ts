import { removeRepeatedTexts } from "./repeated-texts.ts";
import type { WorkKind } from "./work-kind.ts";

const WIDTH = 72;
/** Longest text in a commit message. */
const MOST_OF_A_TEXT = 1_000;

export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Cuts a text at a word and marks the cut. The body repeats the full subject. */
export function shortenSubject(text: string, most = WIDTH): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > 0 ? cut.slice(0, space) : cut).replace(/[\s,;:.—-]+$/, "")}…`;
}

export function wrapText(text: string, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines.join("\n");
}

/** Lists, quotes, tables, headings and indented lines, whose line breaks matter. */
const FORMED = /^(?:\s|[-*+•]\s|[>|#]|\d+[.)]\s)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Wraps long lines of a text. Short or formatted lines stay unchanged. */
export function wrapBody(text: string): string {
  let fenced = false;
  return text
    .split("\n")
    .map((line) => {
      const fence = FENCE.test(line);
      if (fence) fenced = !fenced;
      return fence || fenced || line.length <= WIDTH || FORMED.test(line) ? line : wrapText(line);
    })
    .join("\n");
}

/** Formats a list item. */
export const formatListItem = (text: string): string => wrapText(`- ${collapseWhitespace(text)}`, "  ");

type CommitTextParts = {
  /** Text of the change. The first line is this text, cut to its length. */
  readonly subject: string;
  readonly most?: number;
  /** Reasons, one paragraph each. */
  readonly why: readonly string[];
  /** Parts or requirements, as list items below `heading`. */
  readonly parts?: readonly string[];
  readonly heading?: string;
  /** Gates that the work passed and exemptions that a person granted. */
  readonly gates: readonly string[];
  /** Preformatted lines at the end. */
  readonly rest?: readonly string[];
};

/** Formats a commit message: what changed, why, and the gates passed, without repetition. */
export function formatCommitText(words: CommitTextParts): string {
  const { subject, most = WIDTH, why, parts = [], heading = "", gates, rest = [] } = words;
  const first = shortenSubject(toImperative(subject), most);
  const whole = first === toImperative(subject) ? [] : [stripCommitType(subject)];
  const points = parts.map(limitText);
  const once = removeRepeatedTexts(first, [...whole, ...why, ...points].map(limitText));
  return [
    first,
    ...once.filter((text) => !points.includes(text)).map((text) => wrapText(endSentence(text))),
    formatList(
      heading,
      points.filter((text) => once.includes(text)),
    ),
    gates.length > 0 ? wrapText(`Gates: ${gates.map(limitText).join("; ")}.`) : "",
    ...rest,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const formatList = (heading: string, texts: readonly string[]): string =>
  texts.length === 0 ? "" : [...(heading === "" ? [] : [heading]), ...texts.map(formatListItem)].join("\n");

const limitText = (text: string): string => collapseWhitespace(text.slice(0, MOST_OF_A_TEXT));

const endSentence = (text: string): string => (/[.!?…:]$/.test(text) ? text : `${text}.`);

const TYPE = /^([a-z]+)(?:\([^)]*\))?!?:\s*/i;

/** Removes a prefix such as `fix(x):`. */
export function stripCommitType(subject: string): string {
  const text = subject.replace(TYPE, "");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Verbs that always describe a change. Another word of this form may describe a fault. */
const DONE =
  /^((?:[a-z]+(?:\([^)]*\))?!?:\s*)?)(add|fix|implement|improve|introduce|refactor|remove|rename|replace|update)(?:e?s|e?d)\b/i;

/** Turns `Adds` or `Added` into the imperative. */
const toImperative = (subject: string): string => limitText(subject).replace(DONE, "$1$2");

/** Words that describe a fault; a subject with one of them names what was fixed. */
const FAULT =
  /\b(?:bugs?|crash(?:es|ed)?|fails?|failed|failing|broken|throws|hangs|leaks|wrong(?:ly)?|(?:does|do|is|are|can) ?n(?:o|')t|never)\b/i;
export const describesFault = (text: string): boolean => FAULT.test(text);

const TYPES: Readonly<Record<WorkKind, string>> = {
  feature: "feat",
  fix: "fix",
  refactor: "refactor",
  docs: "docs",
  other: "feat",
};

/**
 * Builds the commit type: feature if any task is one, then fix, refactor, docs. A task without a kind counts as a
 * feature.
 */
export function createTypedSubject(tasks: readonly { readonly kind?: WorkKind | undefined }[], title: string): string {
  const kinds = tasks.map(({ kind }) => kind ?? "feature");
  const kind = (["feature", "fix", "refactor", "docs"] as const).find((each) => kinds.includes(each)) ?? "other";
  return addCommitType(TYPES[kind], title);
}

export const addCommitType = (type: string, title: string): string =>
  `${type}: ${lowerFirstWord(collapseWhitespace(title))}`.replace(/[\s.,;:]+$/, "");

/** Lower-cases the first word of a sentence, unless it is a name or an abbreviation. */
const lowerFirstWord = (text: string): string =>
  /^\p{Lu}\p{Ll}*(\s|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
