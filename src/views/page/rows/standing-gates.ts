import { Decision } from "../../../core/authoring/decision.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Step, Taking } from "../../taking.ts";

/** How many passed in the end, and the names of those that did not. */
export type StandingGates = { readonly passed: number; readonly missed: readonly string[] };

type Verdict = { readonly key: string; passed: boolean };

/** The newest word of each gate, and which gates each phase has asked: a later judgement replaces an earlier one. */
export function createStandingGates() {
  const verdicts = new Map<string, Verdict>();
  const byKey = new Map<string, Verdict>();
  const asked = new Map<string, Set<string>>();
  const judged = ({ gate, key, passed }: JournalRecord<"gate.evaluated">, step: Step | undefined): void => {
    const before = byKey.get(key);
    const verdict = before ?? { key, passed: true };
    verdict.passed &&= passed;
    byKey.set(key, verdict);
    if (!before) verdicts.set(gate, verdict);
    const phase = step?.phase ?? "";
    asked.set(phase, (asked.get(phase) ?? new Set()).add(gate));
  };
  const ended = ({ key, value }: JournalRecord<"step.finished">): void => {
    const verdict = byKey.get(key);
    if (!verdict) return;
    // What the gate itself came to counts more than the sum of its rules.
    verdict.passed = Decision.safeParse(value).data?.passed ?? verdict.passed;
    byKey.delete(key);
  };
  const taking: Taking = { "gate.evaluated": judged, "step.finished": ended };
  const sumOf = (gates: readonly string[]): StandingGates => {
    const missed = gates.filter((gate) => verdicts.get(gate)?.passed === false);
    return { passed: gates.length - missed.length, missed };
  };
  return {
    taking,
    judged,
    ended,
    all: (): StandingGates => sumOf([...verdicts.keys()]),
    in: (phase: string): StandingGates => sumOf([...(asked.get(phase) ?? [])]),
  };
}
