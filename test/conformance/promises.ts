import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./sources.ts";

/** A promise that the README makes to users. Tests carry its id like the id of a rule. */
export type UserPromise = { readonly id: string; readonly text: string };

const TAG = /<!-- (U-\d{2}) -->/g;
/** Start of the sentence before a tag: an empty line, a list item, a table row or the previous tag. */
const BEGINNING = /\n\s*\n|\n- |\n\|[^\n]*\n(?=\|)|-->/g;

export const PROMISES = readPromises(readFileSync(join(ROOT, "README.md"), "utf8"));

/** The promises of a page in the order of their ids. The tag `<!-- U-01 -->` ends the text of a promise. */
export function readPromises(page: string): readonly UserPromise[] {
  const promises = [...page.matchAll(TAG)].map(({ index, 1: id = "" }) => {
    const before = page.slice(0, index).trimEnd();
    const begin = [...before.matchAll(BEGINNING)].at(-1);
    return { id, text: toPlainText(before.slice(begin ? begin.index + begin[0].length : 0)) };
  });
  return promises.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Reports ids that occur twice or leave a gap, and tags without a sentence. */
export function promiseProblems(promises: readonly UserPromise[]): readonly string[] {
  const ids = promises.map(({ id }) => id);
  const expected = ids.map((_, at) => `U-${String(at + 1).padStart(2, "0")}`);
  const numbering =
    ids.join() === expected.join() ? [] : [`README.md: promises are numbered ${ids.join(", ")}, not from U-01 upwards`];
  return [
    ...numbering,
    ...promises.filter(({ text }) => text === "").map(({ id }) => `${id}: the tag ends no sentence`),
  ];
}

function toPlainText(markdown: string): string {
  return markdown
    .replace(/^\s*- /, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
