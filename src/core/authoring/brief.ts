import { z } from "zod";

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

export function linesOf(brief: Brief): readonly string[] {
  return brief.flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)]);
}
