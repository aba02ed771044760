import { z } from "zod";
import { counted } from "../text/count.ts";

/** Parts of a question that a person reads before they decide, in reading order. */
export const Brief = z.array(z.object({ title: z.string(), lines: z.array(z.string()) }));
export type Section = { readonly title: string; readonly lines: readonly string[] };
export type Brief = readonly Section[];

/** Drops empty sections and blank lines. */
export function briefOf(sections: readonly (Section | undefined)[]): Brief {
  return sections.flatMap((section) => {
    const lines = section?.lines.filter((line) => line.trim() !== "") ?? [];
    return section && lines.length > 0 ? [{ title: section.title, lines }] : [];
  });
}

/** Longer lists are easier to read as a diff. */
const MOST_FILES = 20;

/** Joins the paths into one line, because a question shows only the first few lines of a section. */
export function filesSection(title: string, paths: readonly string[]): Section {
  const rest = paths.length - MOST_FILES;
  const more = rest > 0 ? ` and ${counted(rest, "more file")}` : "";
  return { title, lines: [`${paths.slice(0, MOST_FILES).join(", ")}${more}`] };
}

export function formatBrief(brief: Brief): readonly string[] {
  return brief.flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]);
}
