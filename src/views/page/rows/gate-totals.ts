import { Decision } from "../../../core/authoring/decision.ts";
import { resolveGatePlace } from "../../../core/journal/gate-place.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { RecordHandlers, Step } from "../../record-handlers.ts";

/** The number of gates that passed in the end, and the names of those that did not. */
export type GateTotals = { readonly passed: number; readonly missed: readonly string[] };

type GateVerdict = { readonly gate: string; passed: boolean };

/** Tracks the latest verdict of each gate by its place, and which gates each phase evaluated. */
export function createGateTotals() {
  const verdicts = new Map<string, GateVerdict>();
  const byKey = new Map<string, GateVerdict>();
  const asked = new Map<string, Set<string>>();
  const judged = (record: JournalRecord<"gate.evaluated">, step: Step | undefined): void => {
    const { gate, key, passed } = record;
    const before = byKey.get(key);
    const verdict = before ?? { gate, passed: true };
    const place = resolveGatePlace(record);
    verdict.passed &&= passed;
    byKey.set(key, verdict);
    if (!before) verdicts.set(place, verdict);
    const phase = step?.phase ?? "";
    asked.set(phase, (asked.get(phase) ?? new Set()).add(place));
  };
  const ended = ({ key, value }: JournalRecord<"step.finished">): void => {
    const verdict = byKey.get(key);
    if (!verdict) return;
    // The gate's own decision takes precedence over the sum of its rules.
    verdict.passed = Decision.safeParse(value).data?.passed ?? verdict.passed;
    byKey.delete(key);
  };
  const taking: RecordHandlers = { "gate.evaluated": judged, "step.finished": ended };
  const countGates = (places: readonly string[]): GateTotals => {
    const standing = places.flatMap((place) => verdicts.get(place) ?? []);
    const missed = standing.flatMap(({ gate, passed }) => (passed ? [] : [gate]));
    return { passed: standing.length - missed.length, missed };
  };
  return {
    taking,
    judged,
    ended,
    all: (): GateTotals => countGates([...verdicts.keys()]),
    in: (phase: string): GateTotals => countGates([...(asked.get(phase) ?? [])]),
  };
}
