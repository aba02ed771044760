import { canonical, type Json } from "../core/json.ts";
import { judgeRule, type RuleParams, type Ruling } from "../core/judge-rule.ts";
import type { JournalRecord } from "../core/record.ts";
import { isSqlRule, type SqlRule } from "../core/rule.ts";
import type { LedgerThen } from "./ledger-then.ts";
import { type RowsSeen, rowsOfRule } from "./rule-rows.ts";
import type { RulesKnown } from "./rules.ts";

export type Result = { readonly passed: boolean; readonly actual: Json; readonly need: Json };

/** A rule's recorded word beside the one it would give now. */
export type Evaluation = {
  readonly seq: number;
  readonly key: string;
  readonly gate: string;
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
  readonly rows: readonly RowsSeen[];
};

type Asked = {
  readonly record: JournalRecord<"gate.evaluated">;
  readonly known: RulesKnown;
  readonly then: LedgerThen;
};

/** Judges by today's code and the ground of then: the values of that gate, the rows of the records before it. */
export async function judgeAgain({ record, known, then }: Asked): Promise<Evaluation> {
  const { seq, key, gate, params, passed, actual, need } = record;
  const rule = known.given.get(key)?.rules.find((each) => each.id === record.rule) ?? known.byId.get(record.rule);
  const sql = rule && isSqlRule(rule) ? rule : undefined;
  const about = {
    seq,
    key,
    gate,
    rule: record.rule,
    because: rule?.because ?? "",
    compare: sql ? (sql.compare ?? "at least") : null,
    params,
    recorded: { passed, actual, need },
  };
  const answer = await judged({ record, known, then });
  const rows = sql ? await rowsOfRule(then.before(seq), sql, boundIn(record)) : [];
  if (typeof answer === "string") return { ...about, now: null, agrees: null, unknown: answer, rows };
  const agrees = answer.passed === passed && canonical(answer.actual) === canonical(actual);
  const now = { passed: answer.passed, actual: answer.actual, need: answer.need };
  return { ...about, now, agrees, rows };
}

/** Recorded by the gate itself, which binds texts and numbers by name. */
const boundIn = ({ params }: JournalRecord<"gate.evaluated">) => params as RuleParams;

/** The rule's word, or why there is none. */
async function judged({ record, known, then }: Asked): Promise<Ruling | string> {
  const given = known.given.get(record.key);
  const rule = given?.rules.find((each) => each.id === record.rule) ?? known.byId.get(record.rule);
  if (!rule) return known.unread ?? "today's pipeline has no such rule";
  // Replay gives back what the gate was about.
  if (!isSqlRule(rule) && !given) return "what it judged is not known: today's code no longer comes to this gate";
  try {
    const { ask } = then.before(record.seq);
    return await judgeRule(rule, { about: given?.about, params: boundIn(record), ask });
  } catch (error) {
    return `it cannot be judged any more: ${error instanceof Error ? error.message : String(error)}`;
  }
}
