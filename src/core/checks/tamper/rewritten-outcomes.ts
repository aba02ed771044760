import type { Finding } from "../../authoring/finding.ts";
import { maskComments } from "./code-mask.ts";
import { getTestLanguage } from "./test-language.ts";
import { createTamperFinding, type TextChange } from "./text-change.ts";

/** Pytest hooks with which a file changes test results. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\.outcome\s?=(?!=)|setattr\(\w+, ?["']outcome["']/g, "it sets the outcome of tests"],
  [/\bexcinfo\s?=\s?None\b/g, "it drops the error of tests"],
  [/\bexitstatus\s?=\s?(?:0\b|\w*ExitCode\.OK)/g, "it sets the exit code"],
  [/\bdef pytest_(?:pyfunc_call|runtest_protocol|runtest_call)\b/g, "it takes over how tests run"],
  [/\bdef pytest_ignore_collect\b|\bcollect_ignore(?:_glob)?\b/g, "it leaves files out"],
  [/\bitems\[:\] ?=(?! ?(?:sorted|list\(reversed|reversed))|\bitems\.clear\(|\bdel items\[/g, "it leaves tests out"],
];

/** Finds a conftest.py or pytest plugin that makes tests pass by itself. */
export function findRewrittenOutcomes({ path, before, after }: TextChange): readonly Finding[] {
  const language = getTestLanguage(path);
  if (language?.name !== "python" || after === undefined) return [];
  if (!path.endsWith("conftest.py") && !after.includes("def pytest_")) return [];
  const [then, now] = [maskComments(before ?? "", language.syntax), maskComments(after, language.syntax)];
  const [, what] = REWRITES.find(([pattern]) => count(now, pattern) > count(then, pattern)) ?? [];
  return what ? [createTamperFinding(path, `decides the result of the tests itself: ${what}`)] : [];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
