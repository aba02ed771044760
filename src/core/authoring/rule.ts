import type { Json } from "../text/json.ts";
import type { Finding } from "./finding.ts";

/**
 * Rule over the ledger. One SQL text runs on both databases: named parameters (`:run`, `:task` …), counts cast to
 * INTEGER, TEXT and INTEGER columns only, no LIKE, no booleans. It returns one row with one column, `actual`. `:run` is
 * always bound; the subject of the gate provides every other parameter.
 */
export type SqlRule = {
  readonly id: string;
  readonly because: string;
  readonly sql: string;
  /** Required number, or the name of the parameter that contains it. */
  readonly need: number | `:${string}`;
  /** Comparison of `actual` with `need`. */
  readonly compare?: "at least" | "exactly";
  /** Effect of a miss on the run. */
  readonly onMiss?: "revise" | "block";
};

export type Judgement = {
  readonly passed: boolean;
  readonly blocked?: boolean;
  readonly findings?: readonly Finding[];
  readonly score?: number;
  readonly actual?: Json;
  readonly need?: Json;
};

/** Rule over the values of the gate. It must be pure, so that a replay gives the same result. */
export type ValueRule<About = never> = {
  readonly id: string;
  readonly because: string;
  readonly judge: (about: About) => Judgement;
};

export type Rule<About = never> = SqlRule | ValueRule<About>;

export const sqlRule = (rule: SqlRule): SqlRule => rule;
export const valueRule = <About>(rule: ValueRule<About>): ValueRule<About> => rule;

export function isSqlRule<About>(rule: Rule<About>): rule is SqlRule {
  return "sql" in rule;
}

/** Serializes the comparable parts of a rule. Two rules with the same id must have equal texts. */
export function serializeRule(rule: Rule): string {
  if (!isSqlRule(rule)) return rule.because;
  const { because, sql, need, compare = "at least", onMiss = "revise" } = rule;
  return [because, sql, need, compare, onMiss].join("\n");
}

/** Lists the parameters that a rule's SQL names, in order of first use. */
export function listParameters(rule: SqlRule): readonly string[] {
  const names = [...rule.sql.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? "");
  if (typeof rule.need === "string") names.push(rule.need.slice(1));
  return [...new Set(names)];
}
