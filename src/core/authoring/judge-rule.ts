import { SignalboxError } from "../failure/errors.ts";
import type { Json } from "../text/json.ts";
import type { Finding } from "./finding.ts";
import { isSqlRule, type Judgement, listParameters, type Rule, type SqlRule } from "./rule.ts";

/** Full result of a rule. The gate, `signalbox gate` and `signalbox audit` all use it. */
export type RuleJudgement = {
  readonly passed: boolean;
  readonly blocked: boolean;
  readonly actual: Json;
  readonly need: Json;
  readonly findings: readonly Finding[];
  readonly score?: number;
};

export type RuleParams = Readonly<Record<string, string | number>>;

/** Inputs of a rule. */
export type RuleInput = {
  /** Recorded subject of the gate, for rules over values. */
  readonly about: unknown;
  /** Parameters of a ledger query; see `bindParameters`. */
  readonly params: RuleParams;
  ask(sql: string, params: RuleParams): Promise<Readonly<Record<string, Json>> | undefined>;
};

/** Evaluates a rule. Throws RULE_INVALID if a ledger rule has no number to compare. */
export async function judgeRule(rule: Rule, { about, params, ask }: RuleInput): Promise<RuleJudgement> {
  // The cast is true because a gate only accepts rules that take its subject.
  if (!isSqlRule(rule)) return toRuling(rule, rule.judge(about as never));
  const need = typeof rule.need === "number" ? rule.need : Number(params[rule.need.slice(1)] ?? Number.NaN);
  if (Number.isNaN(need)) throw createRuleError(rule, `its limit ${rule.need} is not a number`);
  const row = await ask(rule.sql, params);
  const actual = Number(row?.["actual"] ?? Number.NaN);
  if (Number.isNaN(actual)) throw createRuleError(rule, "its query returned no number named `actual`");
  return judgeCount(rule, { actual, need });
}

/** Compares the counted number of a ledger rule with the required one. */
export function judgeCount(
  rule: SqlRule,
  { actual, need }: { readonly actual: number; readonly need: number },
): RuleJudgement {
  const passed = rule.compare === "exactly" ? actual === need : actual >= need;
  return toRuling(rule, { passed, blocked: !passed && rule.onMiss === "block", actual, need });
}

/** Picks the parameters that the rule's SQL names from the subject of the gate. */
export function bindParameters(rule: SqlRule, about: Readonly<Record<string, unknown>>): RuleParams {
  return Object.fromEntries(
    listParameters(rule).map((name) => {
      const value = about[name];
      if (typeof value === "string" || typeof value === "number") return [name, value];
      throw createRuleError(rule, `its parameter :${name} has no value in the subject of the gate`);
    }),
  );
}

/** Adds a finding for every miss, so that the next round knows what to fix. */
function toRuling(rule: Rule, judgement: Judgement): RuleJudgement {
  const { passed, blocked = false, findings = [], score } = judgement;
  // A rule without a count is yes or no: one of one.
  const { actual = passed ? 1 : 0, need = 1 } = judgement;
  const numbers = isSqlRule(rule) ? ` (is ${formatMeasured(actual)}, needs ${formatMeasured(need)})` : "";
  const miss: Finding = {
    severity: blocked ? "blocker" : "major",
    message: `${rule.id}: ${rule.because}${numbers}`,
    by: rule.id,
  };
  return {
    passed,
    blocked,
    actual,
    need,
    findings: passed || findings.length > 0 ? findings : [miss],
    ...(score === undefined ? {} : { score }),
  };
}

const formatMeasured = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function createRuleError(rule: SqlRule, why: string): SignalboxError {
  return new SignalboxError(
    "RULE_INVALID",
    `The rule ${rule.id} cannot be evaluated: ${why}.`,
    "Fix the rule or the values that the gate passes to it.",
  );
}
