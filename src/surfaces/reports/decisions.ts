import { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Json } from "../../core/json.ts";
import type { JournalRecord } from "../../core/record.ts";
import { only } from "./records.ts";

export type RuleSeen = {
  readonly seq: number;
  readonly rule: string;
  readonly passed: boolean;
  readonly actual: Json;
  readonly need: Json;
  readonly params: Json;
};

/** One judgement of one gate, as it was recorded. */
export type DecisionSeen = {
  readonly key: string;
  readonly phase: string;
  readonly gate: string;
  readonly at: number;
  readonly passed: boolean;
  readonly blocked: boolean;
  readonly rules: readonly RuleSeen[];
  readonly findings: readonly Finding[];
  readonly tree?: string;
};

/** Every decision of rules, in the order in which they were made. */
export function decisionsIn(records: readonly JournalRecord[]): readonly DecisionSeen[] {
  const phases = new Map(only(records, "step.started").map((step) => [step.key, step.phase]));
  const ends = new Map(only(records, "step.finished").map((step) => [step.key, step.value]));
  const byKey = Map.groupBy(only(records, "gate.evaluated"), (record) => record.key);
  return [...byKey].map(([key, evaluated]) => {
    const rules = evaluated.map(({ seq, rule, passed, actual, need, params }) => {
      return { seq, rule, passed, actual, need, params };
    });
    // An engine that died between the rules and the decision has recorded only the rules.
    const made = Decision.safeParse(ends.get(key)).data;
    const { gate = "", ts: at = 0, tree } = evaluated.at(-1) ?? {};
    return {
      key,
      phase: phases.get(key) ?? "",
      gate,
      at,
      passed: made?.passed ?? rules.every((rule) => rule.passed),
      blocked: made?.blocked ?? false,
      rules,
      findings: made?.findings ?? [],
      ...(tree === undefined ? {} : { tree }),
    };
  });
}

/** What stands: a later decision of the same gate replaces the earlier one. */
export function standingDecisions(decisions: readonly DecisionSeen[]): readonly DecisionSeen[] {
  return [...new Map(decisions.map((decision) => [decision.gate, decision])).values()];
}
