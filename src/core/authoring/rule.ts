import type { Json } from "../text/json.ts";
import type { Finding } from "./finding.ts";

/**
 * A rule over the ledger. One text for both databases: named parameters (`:run`, `:task` …), counts cast to
 * INTEGER, TEXT and INTEGER columns only, no LIKE, no booleans. It returns one row with one column, `actual`.
 * `:run` is always bound; every other parameter comes from what the gate is about.
 */
export type SqlRule = {
  readonly id: string;
  readonly because: string;
  readonly sql: string;
  /** A number, or the name of the parameter that holds it. */
  readonly need: number | `:${string}`;
  /** How `actual` is compared with `need`. */
  readonly compare?: "at least" | "exactly";
  /** What a miss means for the run. */
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

/** A rule over the values handed in: pure, so that a replay judges the same. */
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

/** What a rule says, as far as it can be compared: two rules of one id must not differ in it. */
export function ruleText(rule: Rule): string {
  if (!isSqlRule(rule)) return rule.because;
  const { because, sql, need, compare = "at least", onMiss = "revise" } = rule;
  return [because, sql, need, compare, onMiss].join("\n");
}

/** The parameters that a rule's text names, in order of first use. */
export function parametersOf(rule: SqlRule): readonly string[] {
  const names = [...rule.sql.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? "");
  if (typeof rule.need === "string") names.push(rule.need.slice(1));
  return [...new Set(names)];
}
