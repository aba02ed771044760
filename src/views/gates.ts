import { Decision } from "../core/authoring/decision.ts";
import type { Finding } from "../core/authoring/finding.ts";
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
    const { key, gate, seq, ts: at, rule, passed, actual, need, params, tree } = record;
    last = gates.get(key) ?? { key, phase: step?.phase ?? "", gate, at, rules: [] };
    gates.set(key, Object.assign(last, { gate, at, tree }));
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

export function decisionOf({ key, phase, gate, at, tree, rules, value }: GateSeen): DecisionReport {
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
  };
}

/** What stands: a later decision of a gate at the same place replaces the earlier one. */
export function standingDecisions({ gates }: Pick<GatesView, "gates">): readonly DecisionReport[] {
  return standingIn(gates).map(decisionOf);
}

/** Parts of a key that say when or in which order something was done, and not to what it was done. */
const REPEATS = /^(?:again|attempt|budget|dispatch|final-review|pass|planned|round|try|turn|version|wave)(?:-\d+)?$/;

/**
 * Where a gate stands: a later judgement at the same place replaces the earlier one, one in another branch does not.
 * The rounds of a loop are one place, in whichever phase each of them asks.
 */
export function gatePlace({ key, gate }: { readonly key: string; readonly gate: string }): string {
  const [phase = "", ...rest] = key.split("/");
  const path = rest.slice(0, -1);
  const branches = path.filter((part) => !REPEATS.test(part));
  return JSON.stringify([gate, branches.length === path.length ? phase : "", ...branches]);
}

/** The newest of each place, in the order in which the places were first asked. */
export function standingIn<G extends { readonly key: string; readonly gate: string }>(
  gates: readonly G[],
): readonly G[] {
  return [...new Map(gates.map((each) => [gatePlace(each), each])).values()];
}
