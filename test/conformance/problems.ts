import type { Mutants } from "../breaks/break.ts";
import type { Book } from "./books.ts";
import type { TestOutcome, Tests } from "./report.ts";
import type { KeptRule } from "./rule-tags.ts";

/** Lists required rules without a declaration, and declared rules that are not required. */
export function ruleProblems({ pipeline, ids, rules }: Book): readonly string[] {
  const given = rules.map(({ id }) => id);
  const missing = ids.filter((id) => !given.includes(id)).map((id) => `${id}: no declaration carries it`);
  const strange = given.filter((id) => !ids.includes(id)).map((id) => `${id}: no rule of ${pipeline}`);
  return [...missing, ...strange];
}

export function testProblems(rules: readonly { readonly id: string }[], tests: Tests): readonly string[] {
  return rules.flatMap(({ id }) => {
    const found = tests.get(id) ?? [];
    if (found.length === 0) return [`${id}: no test carries its id`];
    const failed = found.filter(({ outcome }) => outcome === "failed");
    if (failed.length > 0) return failed.map(({ file, title }) => `${id}: fails: ${title} (${file})`);
    return isHeld(found) ? [] : [`${id}: every test that carries its id was skipped`];
  });
}

/** Reports rules and promises that `npm test` does not cover: each needs a test in a file that is not long. */
export function shortTestProblems(ids: readonly string[], tests: Tests): readonly string[] {
  return ids
    .filter((id) => tests.has(id) && (tests.get(id) ?? []).every(({ file }) => file.endsWith(".long.test.ts")))
    .map((id) => `${id}: only long files test it, and \`npm test\` leaves them out`);
}

/** Returns whether tests prove the rule. A skipped test proves nothing, but is no failure either. */
export function isHeld(tests: readonly TestOutcome[]): boolean {
  return tests.some(({ outcome }) => outcome === "passed") && !tests.some(({ outcome }) => outcome === "failed");
}

/** A rule that a single declaration keeps needs a break; for a rule in the shape of the program it is optional. */
export const needsBreak = ({ kind }: KeptRule): boolean => kind !== "code";

export function mutantProblems(books: readonly Book[], mutants: Mutants): readonly string[] {
  const rules = books.flatMap((book) => book.rules);
  const none = rules.filter((rule) => needsBreak(rule) && !mutants[rule.id]);
  const known = new Set(books.flatMap(({ ids }) => ids));
  const strange = Object.keys(mutants).filter((id) => !known.has(id));
  return [
    ...none.map(({ id, kind }) => `${id}: a ${kind} without a break`),
    ...strange.map((id) => `${id}: a break of no rule`),
  ];
}
