import type { TestLanguage } from "./test-language.ts";

/**
 * Finds top-level functions of a test file that assert on behalf of its tests. A call of one counts as an assertion, so
 * that extracting assertions into a function loses none. Only functions that the file itself names count.
 */
export function findAssertHelpers(code: readonly string[], language: TestLanguage): ReadonlySet<string> {
  const helpers = new Set<string>();
  let current: string | undefined;
  for (const line of code) {
    if (/^\w/.test(line))
      current = DEFINITION.exec(line)
        ?.slice(1)
        .find((name) => name !== undefined);
    if (current !== undefined && !NAMED.test(current) && isAsserting(line, language)) helpers.add(current);
  }
  return helpers;
}

/** Top-level function; one of the groups captures its name. */
export const DEFINITION =
  /^(?:export )?(?:default )?(?:async )?(?:function\*? ?|def |func )(\w+)|^(?:export )?(?:const|let) (\w+) ?= ?(?:async ?)?(?:function\b|\(|\w+ =>)/;

/** Tests themselves, and names that count as assertions anyway. */
const NAMED = /^(?:[Tt]est|Fuzz|Example|Benchmark|(?:expect|assert|verify|check)(?:[A-Z]|_[a-z]))/;

function isAsserting(line: string, language: TestLanguage): boolean {
  return (line.match(language.asserts)?.length ?? 0) > (line.match(language.empty)?.length ?? 0);
}

/** Counts the calls of these functions in the line. */
export function countHelperCalls(line: string, helpers: ReadonlySet<string>): number {
  if (helpers.size === 0 || DEFINITION.test(line)) return 0;
  return (line.match(/(?<![\w$.])\w+(?=\()/g) ?? []).filter((name) => helpers.has(name)).length;
}
