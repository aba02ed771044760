import { type Assertion, readAssertions } from "../../tamper/assertions.ts";
import { maskCode } from "../../tamper/code-mask.ts";
import { getTestLanguage, type TestLanguage } from "../../tamper/test-language.ts";
import type { TextChange } from "../../tamper/text-change.ts";

/**
 * Finds assertions that are unchanged but now follow a new condition, are in a new function or below a new return, so
 * that they may no longer run. Only a run could decide that, so they are a caveat.
 */
export function findGuardedAssertions(changes: readonly TextChange[]): readonly string[] {
  return changes.flatMap(({ path, before, after }) => {
    const language = getTestLanguage(path);
    if (!language || before === undefined || after === undefined) return [];
    const [old, now] = [readGuards(path, before, language), readGuards(path, after, language)];
    const known = new Map(old.map(({ text, guard }) => [text, guard]));
    const lines = new Set(before.split("\n").map((line) => line.trim()));
    const guarded = now.filter(
      ({ text, guard }) => guard !== undefined && known.get(text) === undefined && known.has(text) && !lines.has(guard),
    );
    if (guarded.length === 0) return [];
    const [first] = guarded;
    const more = guarded.length > 1 ? ` and ${guarded.length - 1} more` : "";
    return [`${path}: an assertion may no longer run, below "${first?.guard}": ${first?.text.slice(0, MOST)}${more}.`];
  });
}

const MOST = 120;

type GuardedAssertion = Pick<Assertion, "text"> & { readonly guard: string | undefined };

function readGuards(path: string, text: string, language: TestLanguage): readonly GuardedAssertion[] {
  const code = maskCode(text, language.syntax).split("\n");
  const plain = text.split("\n");
  const found: GuardedAssertion[] = [];
  for (const [at, line] of code.entries()) {
    if (line.search(language.asserts) < 0) continue;
    const [assertion] = readAssertions(path, (plain[at] ?? "").trim(), language);
    if (assertion) found.push({ text: assertion.text, guard: findGuard({ code, plain, at, language }) });
  }
  return found;
}

type AssertionPlace = {
  readonly code: readonly string[];
  readonly plain: readonly string[];
  readonly at: number;
  readonly language: TestLanguage;
};

/** Finds the line that decides whether this one runs, within its test. */
function findGuard(place: AssertionPlace): string | undefined {
  const { code, plain, at, language } = place;
  const line = code[at] ?? "";
  if (DEFERS.test(line.slice(0, line.search(language.asserts)))) return plain[at]?.trim();
  let margin = indentOf(line);
  for (const above of listLinesAbove(place)) {
    const other = code[above] ?? "";
    const decides = indentOf(other) < margin ? GUARDS : indentOf(other) === margin ? RETURNS : undefined;
    if (decides?.test(other)) return plain[above]?.trim();
    margin = Math.min(margin, indentOf(other));
  }
  return undefined;
}

/** Lists the lines of the test above this one, nearest first. */
function listLinesAbove({ code, at, language }: AssertionPlace): readonly number[] {
  const above = Array.from({ length: at }, (_, index) => at - 1 - index);
  const isHeader = (index: number) => {
    const line = code[index] ?? "";
    return line.trim() !== "" && (indentOf(line) === 0 || line.search(language.tests) >= 0);
  };
  const end = above.findIndex(isHeader);
  return above.slice(0, end < 0 ? above.length : end).filter((index) => code[index]?.trim() !== "");
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const RETURNS = /^\s*return\s*;?\s*$/;
const DEFERS = /\blambda\b[^:]*:|=>\s*$|\bif\b|&&/;
const GUARDS = /\b(?:if|elif|else|try|catch|except|rescue)\b|\.(?:then|catch|finally)\(|\bset(?:Timeout|Interval)\(/;
