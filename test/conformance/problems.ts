import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CharterRule } from "../../src/pipelines/charter.ts";
import type { Breaks } from "../breaks/break.ts";
import type { Book } from "./books.ts";
import type { Tested, Tests } from "./report.ts";
import { declares } from "./sources.ts";

/** What a charter says that is not so, and what it leaves out. */
export function charterProblems({ pipeline, ids, charter }: Book, root: string): readonly string[] {
  if (charter.length === 0) return [`${pipeline}: no charter yet, ${ids.length} rules are owed`];
  const given = charter.map(({ id }) => id);
  const missing = ids.filter((id) => !given.includes(id)).map((id) => `${id}: not in the charter of ${pipeline}`);
  const strange = given.filter((id) => !ids.includes(id)).map((id) => `${id}: no rule of ${pipeline}`);
  const twice = given.filter((id, at) => given.indexOf(id) !== at).map((id) => `${id}: twice in the charter`);
  const order = given.toSorted().join() === given.join() ? [] : [`${pipeline}: the charter is not in order`];
  return [...missing, ...strange, ...twice, ...order, ...charter.flatMap((rule) => enforcementProblems(rule, root))];
}

function enforcementProblems({ id, by }: CharterRule, root: string): readonly string[] {
  const [path = "", name = ""] = by.split("#");
  const file = join(root, "src", path);
  if (!existsSync(file)) return [`${id}: src/${path} is not there`];
  return declares(readFileSync(file, "utf8"), name) ? [] : [`${id}: src/${path} declares no ${name} at its top level`];
}

export function testProblems({ charter }: Book, tests: Tests): readonly string[] {
  return charter.flatMap(({ id }) => {
    const found = tests.get(id) ?? [];
    if (found.length === 0) return [`${id}: no test carries its id`];
    const failed = found.filter(({ outcome }) => outcome === "failed");
    if (failed.length > 0) return failed.map(({ file, title }) => `${id}: fails: ${title} (${file})`);
    return isHeld(found) ? [] : [`${id}: every test that carries its id was skipped`];
  });
}

/** A test that was skipped shows nothing, but does not show that something is wrong either. */
export function isHeld(tests: readonly Tested[]): boolean {
  return tests.some(({ outcome }) => outcome === "passed") && !tests.some(({ outcome }) => outcome === "failed");
}

/** A rule that stands in one place must have a break; one that is the shape of the program may have one. */
export const needsBreak = ({ kind }: CharterRule): boolean => kind !== "code";

export function breakProblems(books: readonly Book[], breaks: Breaks): readonly string[] {
  const rules = books.flatMap(({ charter }) => charter);
  const none = rules.filter((rule) => needsBreak(rule) && !breaks[rule.id]);
  const known = new Set(books.flatMap(({ ids }) => ids));
  const strange = Object.keys(breaks).filter((id) => !known.has(id));
  return [
    ...none.map(({ id, kind }) => `${id}: a ${kind} without a break`),
    ...strange.map((id) => `${id}: a break of no rule`),
  ];
}
