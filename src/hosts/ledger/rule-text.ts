import { listParameters } from "../../core/authoring/rule.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { toStorableText } from "../../core/journal/storable.ts";
import type { Json } from "../../core/text/json.ts";

export type RuleParameters = Readonly<Record<string, string | number | null>>;

/** Throws unless the text is a single SELECT. The database itself decides what it may read. */
export function refuseUnlessQuery(sql: string): void {
  const problem = findQueryProblem(sql);
  if (problem !== undefined) throw createRuleError(sql, problem);
}

/** Returns why the text is not a single SELECT; undefined if it is. */
export function findQueryProblem(sql: string): string | undefined {
  const bare = sql
    .replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''")
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ")
    .trim();
  if (!/^(select|with)\b/i.test(bare)) return "it is not a SELECT";
  if (/;[\s;]*\S/.test(bare)) return "it is more than one statement";
  return undefined;
}

/** Returns exactly the parameters that the text names, each a string, number or null. */
export function bindParameters(sql: string, params: Readonly<Record<string, Json>>): RuleParameters {
  const names = listParameters({ id: "", because: "", sql, need: 0 });
  return Object.fromEntries(
    names.map((name) => {
      const value = params[name];
      if (typeof value === "string") return [name, toStorableText(value)];
      if (value === null || typeof value === "number") return [name, value];
      throw createRuleError(sql, value === undefined ? `:${name} has no value` : `:${name} is neither text nor number`);
    }),
  );
}

export function createRuleError(sql: string, why: string, cause?: unknown): SignalboxError {
  return new SignalboxError(
    "RULE_INVALID",
    `The rule cannot be evaluated: ${why}. Its text: ${sql.slice(0, 200)}`,
    "A rule is one SELECT over the ledger tables, with named parameters; see docs/guides/write-a-pipeline.md.",
    { cause },
  );
}
