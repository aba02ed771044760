import { z } from "zod";
import { counted } from "../text/counted.ts";

/** What a person reads of a question before they decide, in the order in which it is read. */
export const Brief = z.array(z.object({ title: z.string(), lines: z.array(z.string()) }));
export type Section = { readonly title: string; readonly lines: readonly string[] };
export type Brief = readonly Section[];

/** Without sections that say nothing; one line for one thing. */
export function briefOf(sections: readonly (Section | undefined)[]): Brief {
  return sections.flatMap((section) => {
    const lines = section?.lines.filter((line) => line.trim() !== "") ?? [];
    return section && lines.length > 0 ? [{ title: section.title, lines }] : [];
  });
}

/** More than these are better read as a diff. */
const MOST_FILES = 20;

/** In one line: what a question shows is cut after a few. */
export function filesSection(title: string, paths: readonly string[]): Section {
  const rest = paths.length - MOST_FILES;
  const more = rest > 0 ? ` and ${counted(rest, "more file")}` : "";
  return { title, lines: [`${paths.slice(0, MOST_FILES).join(", ")}${more}`] };
}

export function linesOf(brief: Brief): readonly string[] {
  return brief.flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]);
}
