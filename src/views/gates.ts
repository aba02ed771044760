import { Decision } from "../core/authoring/decision.ts";
import type { Finding } from "../core/authoring/finding.ts";
import { standingIn } from "../core/journal/gate-place.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import type { Step, Taking } from "./taking.ts";

export type RuleReport = {
  readonly seq: number;
  readonly rule: string;
  readonly passed: boolean;
  readonly actual: Json;
  readonly need: Json;
  readonly params: Json;
};

/** One judgement of one gate, rule by rule. */
export type GateSeen = {
  readonly key: string;
  readonly phase: string;
  readonly gate: string;
  readonly at: number;
  readonly tree?: string | undefined;
  readonly place?: readonly string[] | undefined;
  readonly rules: readonly RuleReport[];
  /** What the gate gave back; an engine that died between the rules and the decision has recorded only the rules. */
  readonly value?: unknown;
};

/** The same with the decision that it came to, as it was recorded. */
export type DecisionReport = Omit<GateSeen, "value"> & {
  readonly passed: boolean;
  readonly blocked: boolean;
  readonly findings: readonly Finding[];
};

export type GatesView = {
  /** In the order in which they were first asked. */
  readonly gates: readonly GateSeen[];
  /** The one that was asked last. */
  readonly lastGate: GateSeen | undefined;
};

type Draft = { -readonly [K in keyof GateSeen]: GateSeen[K] } & { readonly rules: RuleReport[] };

export function createGates() {
  const gates = new Map<string, Draft>();
  let last: Draft | undefined;
  const judged = (record: JournalRecord<"gate.evaluated">, step: Step | undefined): void => {
    const { key, gate, seq, ts: at, rule, passed, actual, need, params, tree, place } = record;
    last = gates.get(key) ?? { key, phase: step?.phase ?? "", gate, at, rules: [] };
    gates.set(key, Object.assign(last, { gate, at, tree, place }));
    last.rules.push({ seq, rule, passed, actual, need, params });
  };
  const ended = ({ key, value }: JournalRecord<"step.finished">): void => {
    const gate = gates.get(key);
    if (gate) gate.value = value;
  };
  const taking: Taking = { "gate.evaluated": judged, "step.finished": ended };
  return {
    taking,
    view: (): GatesView => ({ gates: [...gates.values()], lastGate: last }),
  };
}

export const isPassed = ({ rules }: Pick<GateSeen, "rules">): boolean => rules.every((rule) => rule.passed);

export function decisionOf({ key, phase, gate, at, tree, place, rules, value }: GateSeen): DecisionReport {
  const made = Decision.safeParse(value).data;
  return {
    key,
    phase,
    gate,
    at,
    passed: made?.passed ?? isPassed({ rules }),
    blocked: made?.blocked ?? false,
    rules,
    findings: made?.findings ?? [],
    ...(tree === undefined ? {} : { tree }),
    ...(place === undefined ? {} : { place }),
  };
}

/** What stands: a later decision of a gate at the same place replaces the earlier one. */
export function standingDecisions({ gates }: Pick<GatesView, "gates">): readonly DecisionReport[] {
  return standingIn(gates).map(decisionOf);
}
