import { Decision } from "../core/authoring/decision.ts";
import type { Finding } from "../core/authoring/finding.ts";
import { selectLatestGates } from "../core/journal/gate-place.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import type { RecordHandlers, Step } from "./record-handlers.ts";

export type RuleReport = {
  readonly seq: number;
  readonly rule: string;
  readonly passed: boolean;
  readonly actual: Json;
  readonly need: Json;
  readonly params: Json;
};

/** One evaluation of a gate, rule by rule. */
export type GateEvaluation = {
  readonly key: string;
  readonly phase: string;
  readonly gate: string;
  readonly at: number;
  readonly tree?: string | undefined;
  readonly place?: readonly string[] | undefined;
  readonly rules: readonly RuleReport[];
  /** The gate's return value. Missing if the engine died between the rules and the decision. */
  readonly value?: unknown;
};

/** A gate evaluation with its recorded decision. */
export type DecisionReport = Omit<GateEvaluation, "value"> & {
  readonly passed: boolean;
  readonly blocked: boolean;
  readonly findings: readonly Finding[];
};

export type GatesView = {
  /** In order of first evaluation. */
  readonly gates: readonly GateEvaluation[];
  /** The gate that was evaluated last. */
  readonly lastGate: GateEvaluation | undefined;
};

type GateDraft = { -readonly [K in keyof GateEvaluation]: GateEvaluation[K] } & { readonly rules: RuleReport[] };

export function createGates() {
  const gates = new Map<string, GateDraft>();
  let last: GateDraft | undefined;
  const addRule = (record: JournalRecord<"gate.evaluated">, step: Step | undefined): void => {
    const { key, gate, seq, ts: at, rule, passed, actual, need, params, tree, place } = record;
    last = gates.get(key) ?? { key, phase: step?.phase ?? "", gate, at, rules: [] };
    gates.set(key, Object.assign(last, { gate, at, tree, place }));
    last.rules.push({ seq, rule, passed, actual, need, params });
  };
  const setDecision = ({ key, value }: JournalRecord<"step.finished">): void => {
    const gate = gates.get(key);
    if (gate) gate.value = value;
  };
  const taking: RecordHandlers = { "gate.evaluated": addRule, "step.finished": setDecision };
  return {
    taking,
    view: (): GatesView => ({ gates: [...gates.values()], lastGate: last }),
  };
}

export const hasPassedRules = ({ rules }: Pick<GateEvaluation, "rules">): boolean => rules.every((rule) => rule.passed);

export function toDecisionReport({ key, phase, gate, at, tree, place, rules, value }: GateEvaluation): DecisionReport {
  const made = Decision.safeParse(value).data;
  return {
    key,
    phase,
    gate,
    at,
    passed: made?.passed ?? hasPassedRules({ rules }),
    blocked: made?.blocked ?? false,
    rules,
    findings: made?.findings ?? [],
    ...(tree === undefined ? {} : { tree }),
    ...(place === undefined ? {} : { place }),
  };
}

/** Returns the latest decisions: a later decision of a gate at the same place replaces the earlier one. */
export function selectLatestDecisions({ gates }: Pick<GatesView, "gates">): readonly DecisionReport[] {
  return selectLatestGates(gates).map(toDecisionReport);
}
