import { judgeRule, type RuleInput, type RuleParams, type Ruling } from "../../core/authoring/judge-rule.ts";
import { isSqlRule, type Rule, type SqlRule } from "../../core/authoring/rule.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { canonical, type Json } from "../../core/text/json.ts";
import type { LedgerThen } from "./ledger-then.ts";
import { type RuleRows, rowsOfRule } from "./rule-rows.ts";
import type { GateGiven, RulesKnown } from "./rules.ts";

export type Result = { readonly passed: boolean; readonly actual: Json; readonly need: Json };

/** A rule's recorded word beside the one it would give now. */
export type Evaluation = {
  readonly seq: number;
  readonly key: string;
  readonly gate: string;
  readonly place?: readonly string[];
  readonly rule: string;
  readonly because: string;
  readonly compare: SqlRule["compare"] | null;
  readonly params: Json;
  readonly recorded: Result;
  readonly now: Result | null;
  /** Null where it could not be asked again; `unknown` says why. */
  readonly agrees: boolean | null;
  readonly unknown?: string;
  /** What a rule over the ledger looked at. */
  readonly rows: readonly RuleRows[];
};

type JudgeRequest = {
  readonly record: JournalRecord<"gate.evaluated">;
  readonly known: RulesKnown;
  readonly then: LedgerThen;
};

/** Judges by today's code and the ground of then: the values of that gate, the rows of the records before it. */
export async function judgeAgain({ record, known, then }: JudgeRequest): Promise<Evaluation> {
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
  // Recorded by the gate itself, which binds texts and numbers by name.
  const bound = params as RuleParams;
  const answer = rule
    ? await judged(rule, given, { params: bound, ask: ledger.ask })
    : (known.unread ?? "today's pipeline has no such rule");
  const rows = sql ? await rowsOfRule(ledger, sql, bound) : [];
  if (typeof answer === "string") return { ...evaluation, now: null, agrees: null, unknown: answer, rows };
  const agrees = answer.passed === passed && canonical(answer.actual) === canonical(actual);
  const now = { passed: answer.passed, actual: answer.actual, need: answer.need };
  return { ...evaluation, now, agrees, rows };
}

/** The rule's word, or why there is none. Replay gives back what the gate was about. */
async function judged(
  rule: Rule,
  given: GateGiven | undefined,
  ledger: Omit<RuleInput, "about">,
): Promise<Ruling | string> {
  if (!isSqlRule(rule) && !given) return "what it judged is not known: today's code no longer comes to this gate";
  try {
    return await judgeRule(rule, { about: given?.about, ...ledger });
  } catch (error) {
    return `it cannot be judged any more: ${error instanceof Error ? error.message : String(error)}`;
  }
}
