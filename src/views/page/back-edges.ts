import type { JournalRecord } from "../../core/journal/record.ts";
import { hasTrait } from "../../core/journal/step-verbs.ts";
import { formatNeed } from "../../core/text/need-text.ts";
import type { RecordHandlers, Step } from "../record-handlers.ts";
import { parseRounds } from "../rounds.ts";
import type { BackEdge } from "./page.ts";

type MissedCause = { readonly phase: string; readonly label: string };

/** Collects where each repeated round started and what caused it: missed gate rules, or a person's choice. */
export function createBackEdges() {
  const edges: BackEdge[] = [];
  /** The following maps have the loop as key: its newest round, the cause of the next one, and its last phase. */
  const rounds = new Map<string, number>();
  const causes = new Map<string, MissedCause>();
  const places = new Map<string, string>();
  const missed = new Map<string, string[]>();
  const revising = new Map<string, string>();

  const recordCause = (step: Step | undefined, label: string): void => {
    for (const { loop } of parseRounds(step?.scope ?? "")) causes.set(loop, { phase: step?.phase ?? "", label });
  };
  const trackRounds = (step: Step): void => {
    if (!hasTrait(step.verb, "advances")) return;
    for (const { loop, round } of parseRounds(step.scope)) {
      if (round > (rounds.get(loop) ?? 1)) {
        const { phase: from = places.get(loop) ?? step.phase, label = "" } = causes.get(loop) ?? {};
        edges.push({ from, to: step.phase, round, label });
        causes.delete(loop);
      }
      rounds.set(loop, round);
      places.set(loop, step.phase);
    }
  };
  const taking: RecordHandlers = {
    "step.started": trackRounds,
    "gate.evaluated": (record) => {
      if (record.passed) return;
      missed.set(record.key, [...(missed.get(record.key) ?? []), formatMissedRule(record)]);
    },
    "step.finished": ({ key }, step) => {
      const numbers = missed.get(key);
      missed.delete(key);
      if (numbers) recordCause(step, numbers.join(" · "));
    },
    "approval.requested": ({ approval, revises }) => {
      if (revises !== undefined) revising.set(approval, revises);
    },
    "approval.decided": ({ approval, choice, by }, step) => {
      if (revising.get(approval) === choice) recordCause(step, `${choice} by ${by}`);
    },
  };
  return { taking, view: (): readonly BackEdge[] => [...edges] };
}

const MAX_LENGTH = 80;

function formatMissedRule({ rule, passed, actual, need }: JournalRecord<"gate.evaluated">): string {
  const found = typeof actual === "string" ? actual : JSON.stringify(actual);
  const text = need === null ? rule : `${rule}: ${found}, ${formatNeed({ passed, actual, need })}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
