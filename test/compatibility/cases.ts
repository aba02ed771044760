import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { plain } from "./page.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/** The files that declare the cases of every program. */
const SUITES = ["src/drivers/driver.suite.ts", "test/agents/real.suite.ts"];

/** A case as its source declares it, and the pattern of its title on the page. */
export type Case = { readonly title: string; readonly shown: RegExp };

export function casesOfSuites(): readonly Case[] {
  return SUITES.flatMap((file) => casesIn(readFileSync(join(ROOT, file), "utf8")));
}

/** A placeholder in a title matches any text. */
export function casesIn(text: string): readonly Case[] {
  const declared = /^\s*(?:it|test|goesOn|\] as const\))\(\s*"((?:[^"\\]|\\.)+)"/gm;
  return [...text.matchAll(declared)].map(([, written = ""]) => {
    const title = written.replace(/\[[A-Z]-\d{2}\]\s*/g, "").replaceAll('\\"', '"');
    const parts = plain(title).split(/%[a-z]/);
    return { title, shown: new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".+")) };
  });
}

const ADDED = "\n## Added since that run\n";

/** Returns the page with the cases that are newer than its run; the next run moves them into the table. */
export function withAdded(page: string, cases: readonly Case[]): string {
  const [told = ""] = page.split(ADDED);
  const added = cases.filter(({ shown }) => !shown.test(told)).map(({ title }) => `- ${plain(title)}\n`);
  return added.length === 0 ? told : `${told}${ADDED}\n${added.join("")}`;
}
