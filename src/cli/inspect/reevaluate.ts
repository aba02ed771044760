import { judgeRule, type RuleInput, type RuleJudgement, type RuleParams } from "../../core/authoring/judge-rule.ts";
import { isSqlRule, type Rule, type SqlRule } from "../../core/authoring/rule.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { canonical, type Json } from "../../core/text/json.ts";
import type { GateInput, KnownRules } from "./known-rules.ts";
import type { PastLedger } from "./past-ledger.ts";
import { type RuleRows, selectRuleRows } from "./rule-rows.ts";

export type EvaluationResult = { readonly passed: boolean; readonly actual: Json; readonly need: Json };

/** A rule's recorded result and its result now. */
export type Evaluation = {
  readonly seq: number;
  readonly key: string;
  readonly gate: string;
  readonly place?: readonly string[];
  readonly rule: string;
  readonly because: string;
  readonly compare: SqlRule["compare"] | null;
  readonly params: Json;
  readonly recorded: EvaluationResult;
  readonly now: EvaluationResult | null;
  /** Null if the rule could not be re-evaluated; `unknown` is the reason. */
  readonly agrees: boolean | null;
  readonly unknown?: string;
  /** Rows that a ledger rule reads. */
  readonly rows: readonly RuleRows[];
};

type JudgeRequest = {
  readonly record: JournalRecord<"gate.evaluated">;
  readonly known: KnownRules;
  readonly then: PastLedger;
};

/** Re-evaluates a rule with today's code on the recorded inputs: the gate's values and the rows of earlier records. */
export async function reevaluate({ record, known, then }: JudgeRequest): Promise<Evaluation> {
  const { seq, key, gate, params, passed, actual, need } = record;
  const given = known.given.get(key);
  const rule = given?.rules.find((each) => each.id === record.rule) ?? known.byId.get(record.rule);
  const sql = rule && isSqlRule(rule) ? rule : undefined;
  const evaluation = {
    seq,
    key,
    gate,
    ...(record.place ? { place: record.place } : {}),
    rule: record.rule,
    because: rule?.because ?? "",
    compare: sql ? (sql.compare ?? "at least") : null,
    params,
    recorded: { passed, actual, need },
  };
  const ledger = then.before(seq);
  // The gate itself recorded the parameters, which are texts and numbers by name.
  const bound = params as RuleParams;
  const answer = rule
    ? await evaluateRule(rule, given, { params: bound, ask: ledger.ask })
    : (known.unread ?? "the current pipeline has no such rule");
  const rows = sql ? await selectRuleRows(ledger, sql, bound) : [];
  if (typeof answer === "string") return { ...evaluation, now: null, agrees: null, unknown: answer, rows };
  const agrees = answer.passed === passed && canonical(answer.actual) === canonical(actual);
  const now = { passed: answer.passed, actual: answer.actual, need: answer.need };
  return { ...evaluation, now, agrees, rows };
}

/** Returns the rule's result, or the reason why there is none. The gate's values come from a replay. */
async function evaluateRule(
  rule: Rule,
  given: GateInput | undefined,
  ledger: Omit<RuleInput, "about">,
): Promise<RuleJudgement | string> {
  if (!isSqlRule(rule) && !given) return "its input is unknown: the current code no longer reaches this gate";
  try {
    return await judgeRule(rule, { about: given?.about, ...ledger });
  } catch (error) {
    return `it can no longer be evaluated: ${error instanceof Error ? error.message : String(error)}`;
  }
}
