import type { DatabaseSync } from "node:sqlite";
import { judgeCount } from "../../core/authoring/judge-rule.ts";
import { listParameters, type SqlRule } from "../../core/authoring/rule.ts";
import type { AuditInput } from "./audit-entries.ts";
import { createExplainer } from "./explain.ts";
import { UNREADABLE } from "./mapped-checks.ts";

export type AuditGate = {
  readonly result: "pass" | "fail" | "unknown";
  readonly actual: number | null;
  readonly need: number;
  readonly why: string;
};
export type Subject = {
  readonly run: string;
  readonly task: string;
  readonly kind: "task" | "review";
  readonly round: number | null;
  /** Number of rows whose round is not a number. */
  readonly strays: number;
};

/**
 * Values of the parameters that a rule may use. Ledgers of other tools do not record the size of a task, so `need` is
 * the lower of its two thresholds. Every project is expected to have one baseline and one green command.
 */
const NEEDS: ReadonlyMap<string, number> = new Map([
  ["need", 2],
  ["baselines", 1],
  ["green", 1],
]);
/** Rules that count rows of all rounds: a blocker ends a run regardless of its round. */
const RULES_OVER_ALL_ROUNDS: ReadonlySet<string> = new Set(["EG-4"]);
const SCOPES = ["design", "code"] as const;

/** Creates a function that evaluates one rule for one entry with the rule's own SQL. */
export function createGateJudge(judged: AuditInput): (rule: SqlRule, subject: Subject) => AuditGate {
  const counting = new Map(judged.rules.map((rule) => [rule.id, createCounter(judged.checks, rule)]));
  const obstacle = createObstacleFinder(judged);
  const explain = createExplainer(judged.checks);
  return (rule, subject) => {
    const need = getRequiredCount(rule);
    const obstructed = obstacle(rule, subject);
    if (obstructed !== undefined) return { result: "unknown", actual: null, need, why: obstructed };
    const actuals = counting.get(rule.id)?.(subject) ?? [];
    const passes = (each: number): boolean => judgeCount(rule, { actual: each, need }).passed;
    const actual = actuals.find((each) => !passes(each)) ?? actuals[0] ?? 0;
    const passed = passes(actual);
    const why = explain({ rule, subject, actual, need, passed });
    return { result: passed ? "pass" : "fail", actual, need, why };
  };
}

/**
 * Returns the count that a rule requires. Throws for a parameter without a value, because the audit must not guess a
 * threshold.
 */
function getRequiredCount({ id, need }: SqlRule): number {
  if (typeof need === "number") return need;
  const value = NEEDS.get(need.slice(1));
  if (value === undefined) throw new Error(`Rule ${id} requires "${need}", and the audit has no value for it.`);
  return value;
}

/** Creates a function that returns why a rule cannot be evaluated for an entry. */
function createObstacleFinder({
  checks,
  columns,
  rules,
}: AuditInput): (rule: SqlRule, subject: Subject) => string | undefined {
  const missingColumns = new Map(
    rules.map((rule) => [rule.id, listRuleColumns(rule).filter((name) => !columns.has(name))]),
  );
  const judging = new Set(rules.filter((rule) => listRuleColumns(rule).includes("passed")));
  const countUnreadable = prepareUnreadableQuery(checks);
  return (rule, subject) => {
    const missing = missingColumns.get(rule.id) ?? [];
    if (missing.length > 0) return `anvil_checks has no column ${missing.join(", ")}`;
    if (subject.strays > 0 && usesRound(rule)) return `rows with a round that is not a number: ${subject.strays}`;
    const strange = judging.has(rule) ? countUnreadable(subject) : 0;
    return strange > 0 ? `rows with a result other than 0 or 1: ${strange}` : undefined;
  };
}

/** Creates a function that returns the counts of a rule: one, or one for each scope that a review may have. */
function createCounter(checks: DatabaseSync, rule: SqlRule): (subject: Subject) => number[] {
  const statement = checks.prepare(rule.sql);
  statement.setAllowUnknownNamedParameters(true);
  const ask = ({ run, task }: Subject, round: number, scope: string): number =>
    Number(statement.get({ ...Object.fromEntries(NEEDS), run, task, round, scope })?.["actual"]);
  if (RULES_OVER_ALL_ROUNDS.has(rule.id)) {
    const rounds = prepareRoundQuery(checks);
    let last: { run: string; task: string; counted: number[] } | undefined;
    return (subject) => {
      // All rounds of a review are consecutive and share this count.
      if (last?.run === subject.run && last.task === subject.task) return last.counted;
      const counted = [rounds(subject).reduce((sum, round) => sum + ask(subject, round, ""), 0)];
      last = { run: subject.run, task: subject.task, counted };
      return counted;
    };
  }
  if (!listParameters(rule).includes("scope")) return (subject) => [ask(subject, subject.round ?? 0, "")];
  const scopes = createScopeFinder(checks);
  return (subject) => scopes(subject).map((scope) => ask(subject, subject.round ?? 0, scope));
}

function prepareRoundQuery(checks: DatabaseSync): (subject: Subject) => number[] {
  const find = checks.prepare(
    "SELECT DISTINCT round FROM anvil_checks WHERE run_id = ? AND task_id = ? AND phase = 'review'",
  );
  return ({ run, task }) => find.all(run, task).map((row) => Number(row["round"]));
}

/** Creates a function that returns the scopes of a review, from its name or otherwise from the names of its checks. */
function createScopeFinder(checks: DatabaseSync): (subject: Subject) => readonly string[] {
  const find = checks.prepare(
    "SELECT DISTINCT check_name FROM anvil_checks WHERE run_id = ? AND task_id = ? AND phase = 'review' AND round = ?",
  );
  return ({ run, task, round }) => {
    const named = SCOPES.filter((scope) => task.endsWith(`${scope}-review`));
    if (named.length > 0) return named;
    const names = find.all(run, task, round).map((row) => String(row["check_name"]));
    return SCOPES.filter((scope) => names.some((name) => name.startsWith(`review-${scope}-`)));
  };
}

function prepareUnreadableQuery(checks: DatabaseSync): (subject: Subject) => number {
  const count = checks.prepare(
    `SELECT COUNT(*) AS n FROM anvil_checks
    WHERE run_id = ? AND task_id = ? AND phase = 'after' AND round = ? AND passed = ${UNREADABLE}`,
  );
  return ({ run, task, round }) => Number(count.get(run, task, round)?.["n"]);
}

/** Returns the columns that decide the result. A rule without a round parameter selects baselines by phase alone. */
export function listRuleColumns(rule: SqlRule): string[] {
  const named = new Set([...rule.sql.matchAll(/\b[a-z]\.([a-z_]+)/g)].map((match) => match[1] ?? ""));
  if (!usesRound(rule)) named.delete("round");
  return [...named];
}

function usesRound(rule: SqlRule): boolean {
  return listParameters(rule).includes("round") && !RULES_OVER_ALL_ROUNDS.has(rule.id);
}
