import { countHelperCalls, findAssertHelpers } from "./assert-helpers.ts";
import { maskCode } from "./code-mask.ts";
import type { TestLanguage } from "./test-language.ts";

export const MARKS = ["tests", "asserts", "skips", "maybe", "focus", "cases", "exits"] as const;
export type Mark = (typeof MARKS)[number];

/** Lines of each mark, once per mark. The same line elsewhere is the same test, moved. */
export type TestMarks = { readonly [M in Mark]: readonly string[] };

export function collectMarks(text: string, language: TestLanguage): TestMarks {
  const source = selectTestPart(text, language).split("\n");
  const code = maskCode(source.join("\n"), language.syntax).split("\n");
  const helpers = findAssertHelpers(code, language);
  const marks = createEmptyMarks();
  for (const [index, line] of code.entries()) {
    const key = (source[index]?.trim() ?? "").slice(0, MOST_KEY);
    if (EXCLUDED.test(key)) marks.skips.push(key);
    if (line.trim() === "") continue;
    for (const mark of MARKS) {
      const under = mark === "skips" && isConditional(code, index) ? "maybe" : mark;
      note(marks[under], key, countOf(line, mark, language));
    }
    note(marks.asserts, key, countHelperCalls(line, helpers));
  }
  return marks;
}

/** One by one: a line with a million tests would exceed the arguments of a call. */
function note(marks: string[], key: string, times: number): void {
  for (let at = 0; at < times; at += 1) marks.push(key);
}

/** Enough to recognize a line; comparing longer ones costs more than it gains. */
const MOST_KEY = 200;
/** A Go file that no build includes. */
const EXCLUDED = /^\/\/ ?(?:go:build|\+build) (?:ignore|never|skip|disabled?|none)\b/;

function countOf(line: string, mark: Mark, language: TestLanguage): number {
  const count = line.match(language[mark])?.length ?? 0;
  if (mark !== "asserts" || count === 0) return count;
  return Math.max(0, count - (line.match(language.empty)?.length ?? 0));
}

/** A call such as `t.Skip()` on the first line below an `if` is conditional; a decorator never is. */
function isConditional(code: readonly string[], index: number): boolean {
  const line = code[index] ?? "";
  if (/^\s*(?:[@#[]|\w+ ?=)/.test(line)) return false;
  if (/^\s*if\b(?! ?\(?(?:true|True|1)\b)/.test(line)) return true;
  const before = code.slice(Math.max(0, index - 3), index).findLast((each) => each.trim() !== "") ?? "";
  return /^\s*\}?\s*(?:el)?(?:se )?if\b(?! ?\(?(?:true|True|1)\b)|^\s*except\b/.test(before);
}

/** In a Rust source file only the test module at its end contains tests. */
function selectTestPart(text: string, language: TestLanguage): string {
  if (language.name !== "rust") return text;
  const module = text.indexOf("#[cfg(test)]");
  return module < 0 ? text : text.slice(module);
}

function createEmptyMarks(): { [M in Mark]: string[] } {
  return { tests: [], asserts: [], skips: [], maybe: [], focus: [], cases: [], exits: [] };
}
