import { resolveGatePlace } from "../../../core/journal/gate-place.ts";
import { type DecisionReport, type RuleReport, toDecisionReport } from "../../gates.ts";
import { getInnermostRound } from "../../rounds.ts";
import type { GateRow } from "../page.ts";
import { createNextSteps } from "./next-steps.ts";
import type { MarkChanged, RowProducer, RowWithoutSeq } from "./row-producer.ts";

type GateEntry = {
  readonly key: string;
  readonly phase: string;
  readonly scope: string;
  readonly rules: RuleReport[];
  gate: string;
  at: number;
  tree?: string | undefined;
  place?: readonly string[] | undefined;
  decision?: DecisionReport;
};

/** Creates one row per gate evaluation, with its rules and what the run did next. */
export function createGateRows(touch: MarkChanged): RowProducer {
  const gates = new Map<string, GateEntry>();
  const toRowId = (key: string): string => `gate:${key}`;
  const next = createNextSteps((key, seq) => touch(toRowId(key), { seq, live: false }));
  return {
    taking: {
      ...next.taking,
      "gate.evaluated": ({ key, gate, seq, ts: at, tree, place, rule, passed, actual, need, params }, step) => {
        const entry = gates.get(toRowId(key)) ?? {
          ...{ key, gate, at, rules: [] },
          phase: step?.phase ?? "",
          scope: step?.scope ?? "",
        };
        entry.rules.push({ seq, rule, passed, actual, need, params });
        gates.set(toRowId(key), Object.assign(entry, { gate, at, tree, place }));
        touch(toRowId(key), { seq, live: false });
      },
      "step.finished": ({ key, value, seq }) => {
        const entry = gates.get(toRowId(key));
        if (!entry) return;
        const { phase, gate, at, tree, rules } = entry;
        entry.decision = toDecisionReport({
          key,
          phase,
          gate,
          at,
          rules,
          value,
          ...(tree === undefined ? {} : { tree }),
        });
        next.waitFor(key, entry.scope);
        touch(toRowId(key), { seq, live: false });
      },
    },
    row(id) {
      const entry = gates.get(id);
      if (!entry) throw new Error(`no gate ${id}`);
      return toGateRow(id, entry, next.after(entry.key));
    },
  };
}

function toGateRow(id: string, { decision, ...entry }: GateEntry, then: string): RowWithoutSeq<GateRow> {
  const { key, phase, gate, at, tree = null, rules } = entry;
  const passed = decision?.passed ?? rules.every((rule) => rule.passed);
  return {
    kind: "gate",
    id,
    phase,
    state: passed ? "passed" : "missed",
    ...{ key, gate, round: getInnermostRound(key), place: resolveGatePlace(entry), at, tree },
    rules: [...rules],
    findings: decision?.findings ?? [],
    then,
  };
}
