import type { WorkKind } from "./work-kind.ts";

const WIDTH = 72;

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

/** A point of a list. */
export const point = (text: string): string => wrapped(`- ${oneLine(text)}`, "  ");

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
  return `${TYPES[kind]}: ${lowered(oneLine(title))}`.replace(/[\s.,;:]+$/, "");
}

/** A sentence becomes a subject; a name or an abbreviation at its beginning stays what it is. */
const lowered = (text: string): string =>
  /^\p{Lu}\p{Ll}*(\s|$)/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
