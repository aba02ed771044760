import { canonical, type Json } from "../core/json.ts";
import type { JournalRecord } from "../core/record.ts";
import { isSqlRule, type Rule, type SqlRule } from "../core/rule.ts";
import { type RowsSeen, rowsOfRule } from "./rule-rows.ts";
import type { RulesKnown } from "./rules.ts";
import type { RunBook } from "./run-book.ts";

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
  readonly rows: readonly RowsSeen[];
};

export async function judgeAgain(
  { book }: RunBook,
  record: JournalRecord<"gate.evaluated">,
  known: RulesKnown,
): Promise<Evaluation> {
  const { seq, key, gate, params, passed, actual, need } = record;
  const given = known.given.get(key);
  const rule = given?.rules.find((each) => each.id === record.rule) ?? known.byId.get(record.rule);
  const recorded = { passed, actual, need };
  const sql = rule && isSqlRule(rule) ? rule : undefined;
  const about = {
    seq,
    key,
    gate,
    rule: record.rule,
    because: rule?.because ?? "",
    compare: sql ? (sql.compare ?? "at least") : null,
  };
  // Recorded by the gate itself, which binds texts and numbers by name.
  const bound = params as Readonly<Record<string, Json>>;
  const answer = sql ? await asked(book.host.ledger, sql, bound) : judged(rule, given?.about, known.unread);
  const rows = sql ? await rowsOfRule(book.host.ledger, sql, bound) : [];
  if (typeof answer === "string") return { ...about, params, recorded, now: null, agrees: null, unknown: answer, rows };
  const agrees = answer.passed === passed && canonical(answer.actual) === canonical(actual);
  return { ...about, params, recorded, now: answer, agrees, rows };
}

type Ledger = RunBook["book"]["host"]["ledger"];

async function asked(ledger: Ledger, rule: SqlRule, params: Readonly<Record<string, Json>>): Promise<Result | string> {
  try {
    const row = await ledger.ask(rule.sql, params);
    const actual = Number(row?.["actual"] ?? Number.NaN);
    const need = typeof rule.need === "number" ? rule.need : Number(params[rule.need.slice(1)]);
    if (Number.isNaN(actual) || Number.isNaN(need)) return "today's rule asks for more than was recorded";
    return { passed: rule.compare === "exactly" ? actual === need : actual >= need, actual, need };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A rule over values is asked with what the gate was about, which replay gives back. */
function judged(rule: Rule | undefined, about: unknown, unread: string | undefined): Result | string {
  if (!rule) return unread ?? "today's pipeline has no such rule";
  if (about === undefined) return "what it judged is not known: today's code no longer comes to this gate";
  if (isSqlRule(rule)) return "it is a rule over the ledger";
  try {
    // The gate itself called the rule with this value.
    const { passed, actual = null, need = null } = rule.judge(about as never);
    return { passed, actual, need };
  } catch (error) {
    return `it cannot judge any more: ${error instanceof Error ? error.message : String(error)}`;
  }
}
