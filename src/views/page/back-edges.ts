import type { JournalRecord } from "../../core/journal/record.ts";
import { hasTrait } from "../../core/journal/step-verbs.ts";
import { needText } from "../../core/text/need-text.ts";
import { roundsIn } from "../rounds.ts";
import type { Step, Taking } from "../taking.ts";
import type { BackEdge } from "./page.ts";

type Cause = { readonly phase: string; readonly label: string };

/** Where each round that goes back began, and what sent it there: numbers of a gate, or a person's word. */
export function createBackEdges() {
  const edges: BackEdge[] = [];
  /** By loop: the newest round that has begun, what was last missed in it, and where it last was. */
  const rounds = new Map<string, number>();
  const causes = new Map<string, Cause>();
  const places = new Map<string, string>();
  const missed = new Map<string, string[]>();
  const revising = new Map<string, string>();

  const sent = (step: Step | undefined, label: string): void => {
    for (const { loop } of roundsIn(step?.scope ?? "")) causes.set(loop, { phase: step?.phase ?? "", label });
  };
  const moved = (step: Step): void => {
    if (!hasTrait(step.verb, "advances")) return;
    for (const { loop, round } of roundsIn(step.scope)) {
      if (round > (rounds.get(loop) ?? 1)) {
        const { phase: from = places.get(loop) ?? step.phase, label = "" } = causes.get(loop) ?? {};
        edges.push({ from, to: step.phase, round, label });
        causes.delete(loop);
      }
      rounds.set(loop, round);
      places.set(loop, step.phase);
    }
  };
  const taking: Taking = {
    "step.started": moved,
    "gate.evaluated": (record) => {
      if (record.passed) return;
      missed.set(record.key, [...(missed.get(record.key) ?? []), numbersOf(record)]);
    },
    "step.finished": ({ key }, step) => {
      const numbers = missed.get(key);
      missed.delete(key);
      if (numbers) sent(step, numbers.join(" · "));
    },
    "approval.requested": ({ approval, revises }) => {
      if (revises !== undefined) revising.set(approval, revises);
    },
    "approval.decided": ({ approval, choice, by }, step) => {
      if (revising.get(approval) === choice) sent(step, `${choice} by ${by}`);
    },
  };
  return { taking, view: (): readonly BackEdge[] => [...edges] };
}

const MOST = 80;

function numbersOf({ rule, passed, actual, need }: JournalRecord<"gate.evaluated">): string {
  const found = typeof actual === "string" ? actual : JSON.stringify(actual);
  const text = need === null ? rule : `${rule}: ${found}, ${needText({ passed, actual, need })}`;
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}
