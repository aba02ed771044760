import { classifyPath } from "../exam-path.ts";
import { isHeader, isSource } from "../source-path.ts";
import type { MentionLine } from "./mention.ts";

/** Words of lines that include a header; one of them is required. */
export const INCLUDE_WORDS: readonly string[] = "#import,#include,# include,#embed".split(",");

type IncludeQuestion = {
  readonly headers: readonly string[];
  readonly lines: readonly MentionLine[];
  /** All existing headers. Of two with the same name the nearest is meant. */
  readonly files: ReadonlySet<string>;
};

/**
 * Finds the headers that product sources include, directly or through other headers. A header that only tests include
 * may contain expectations.
 */
export function findIncludedHeaders({ headers, lines, files }: IncludeQuestion): ReadonlySet<string> {
  const said = lines.flatMap(({ path, text }) => {
    const what = /^\s*#\s*(?:include|import|embed)\s*["<]([^">]+)[">]/.exec(text)?.[1];
    return what !== undefined && isSource(path) && classifyPath(path) === "code" ? [{ from: path, what }] : [];
  });
  const known = [...new Set([...headers, ...said.map(({ from }) => from).filter(isHeader)])];
  const byName = Map.groupBy(known, getHeaderName);
  const taken = said.flatMap(({ from, what }) => {
    const beside = resolveInclude(from, what);
    const meant = files.has(beside)
      ? [beside]
      : (byName.get(getHeaderName(what)) ?? []).filter((to) => isPathEnd(to, what));
    return meant.map((to) => ({ from, to }));
  });
  const ours = new Set(taken.filter(({ from }) => !isHeader(from)).map(({ to }) => to));
  const onward = Map.groupBy(taken, ({ from }) => from);
  // A set iterates over elements that are added during the iteration.
  for (const header of ours) for (const { to } of onward.get(header) ?? []) ours.add(to);
  return new Set(headers.filter((path) => ours.has(path)));
}

function resolveInclude(from: string, what: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of what.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function isPathEnd(path: string, what: string): boolean {
  const tail = what.replace(/^(?:\.{1,2}\/)+/, "");
  return path === tail || path.endsWith(`/${tail}`);
}

function getHeaderName(path: string): string {
  return path.split("/").at(-1) ?? "";
}
