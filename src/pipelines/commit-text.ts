import { saidOnce } from "./said-once.ts";
import type { WorkKind } from "./work-kind.ts";

const WIDTH = 72;
/** Longer than anybody reads in a history. */
const MOST_OF_A_TEXT = 1_000;

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Cut at a word, and marked: whoever cuts a subject has the whole of it in the body. */
export function shortened(text: string, most = WIDTH): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > 0 ? cut.slice(0, space) : cut).replace(/[\s,;:.—-]+$/, "")}…`;
}

export function wrapped(text: string, indent = ""): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines.join("\n");
}

/** Lists, quotes, tables, headings, and whatever is indented: their lines mean something. */
const FORMED = /^(?:\s|[-*+•]\s|[>|#]|\d+[.)]\s)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Somebody's own text with its long lines broken; what has a form of its own, and what is short already, stays. */
export function wrappedBody(text: string): string {
  let fenced = false;
  return text
    .split("\n")
    .map((line) => {
      const fence = FENCE.test(line);
      if (fence) fenced = !fenced;
      return fence || fenced || line.length <= WIDTH || FORMED.test(line) ? line : wrapped(line);
    })
    .join("\n");
}

/** A point of a list. */
export const point = (text: string): string => wrapped(`- ${oneLine(text)}`, "  ");

type CommitWords = {
  /** What changed, whole; cut to its length it is the first line. */
  readonly subject: string;
  readonly most?: number;
  /** Why, a paragraph each. */
  readonly why: readonly string[];
  /** What it consists of or fulfils, point by point, and what stands above them. */
  readonly parts?: readonly string[];
  readonly heading?: string;
  /** What it has passed, and what a person let through. */
  readonly gates: readonly string[];
  /** Lines of a form of their own, last. */
  readonly rest?: readonly string[];
};

/** What changed, then why, then by which gates: the one form of a commit, in which nothing is said twice. */
export function commitText(words: CommitWords): string {
  const { subject, most = WIDTH, why, parts = [], heading = "", gates, rest = [] } = words;
  const first = shortened(imperative(subject), most);
  const whole = first === imperative(subject) ? [] : [withoutType(subject)];
  const points = parts.map(brief);
  const once = saidOnce(first, [...whole, ...why, ...points].map(brief));
  return [
    first,
    ...once.filter((text) => !points.includes(text)).map((text) => wrapped(sentence(text))),
    listed(
      heading,
      points.filter((text) => once.includes(text)),
    ),
    gates.length > 0 ? wrapped(`Gates: ${gates.map(brief).join("; ")}.`) : "",
    ...rest,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const listed = (heading: string, texts: readonly string[]): string =>
  texts.length === 0 ? "" : [...(heading === "" ? [] : [heading]), ...texts.map(point)].join("\n");

const brief = (text: string): string => oneLine(text.slice(0, MOST_OF_A_TEXT));

const sentence = (text: string): string => (/[.!?…:]$/.test(text) ? text : `${text}.`);

const TYPE = /^([a-z]+)(?:\([^)]*\))?!?:\s*/i;

/** Without `fix(x):` and the like, as a sentence. */
export function withoutType(subject: string): string {
  const text = subject.replace(TYPE, "");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Verbs that are always what somebody did: any other word in such a form may be what goes wrong. */
const DONE =
  /^((?:[a-z]+(?:\([^)]*\))?!?:\s*)?)(add|fix|implement|improve|introduce|refactor|remove|rename|replace|update)(?:e?s|e?d)\b/i;

/** `Adds` and `Added` are what a change does; a history says what to do. */
const imperative = (subject: string): string => brief(subject).replace(DONE, "$1$2");

/** What goes wrong is no change: as a subject it is what was fixed. */
const FAULT =
  /\b(?:bugs?|crash(?:es|ed)?|fails?|failed|failing|broken|throws|hangs|leaks|wrong(?:ly)?|(?:does|do|is|are|can) ?n(?:o|')t|never)\b/i;
export const namesFault = (text: string): boolean => FAULT.test(text);

const TYPES: Readonly<Record<WorkKind, string>> = {
  feature: "feat",
  fix: "fix",
  refactor: "refactor",
  docs: "docs",
  other: "feat",
};

/** One feature makes the whole a feature, then one fix; what nobody named is a feature too. */
export function typedSubject(tasks: readonly { readonly kind?: WorkKind | undefined }[], title: string): string {
  const kinds = tasks.map(({ kind }) => kind ?? "feature");
  const kind = (["feature", "fix", "refactor", "docs"] as const).find((each) => kinds.includes(each)) ?? "other";
  return typed(TYPES[kind], title);
}

export const typed = (type: string, title: string): string =>
  `${type}: ${lowered(oneLine(title))}`.replace(/[\s.,;:]+$/, "");

/** A sentence becomes a subject; a name or an abbreviation at its beginning stays what it is. */
const lowered = (text: string): string =>
  /^\p{Lu}\p{Ll}*(\s|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
