import type { RunPage } from "../../../src/views/page/page.ts";
import { dollars, duration, some } from "../../parts/format.ts";
import { byKind } from "../run/rows.ts";

export type Side = {
  readonly rounds: number;
  readonly attempts: number;
  readonly ms: number;
  readonly known: number;
  readonly unknown: number;
  readonly passed: number;
  readonly missed: number;
};

export type CompareLine = {
  readonly phase: string;
  readonly a: Side | null;
  readonly b: Side | null;
  readonly differs: boolean;
};

/** Phase by phase, by name; a time alone makes no difference, because two runs never take the same. */
export function linesOf(a: RunPage, b: RunPage): readonly CompareLine[] {
  const names = [...new Set([a, b].flatMap(({ rows }) => byKind(rows).phases.map(({ phase }) => phase)))];
  return names.map((phase) => {
    const sides = [sideOf(a, phase), sideOf(b, phase)] as const;
    return { phase, a: sides[0], b: sides[1], differs: essence(sides[0]) !== essence(sides[1]) };
  });
}

function sideOf({ rows }: RunPage, phase: string): Side | null {
  const { phases, dispatches, gates } = byKind(rows);
  const row = phases.find((each) => each.phase === phase);
  if (!row || row.startedAt === null) return null;
  const own = dispatches.filter((each) => each.phase === phase);
  const judged = gates.filter((each) => each.phase === phase);
  return {
    rounds: Math.max(1, ...own.map(({ round }) => round), ...judged.map(({ round }) => round)),
    attempts: own.reduce((sum, { attempts }) => sum + attempts.length, 0),
    ms: row.ms,
    known: own.reduce((sum, { cost }) => sum + cost.known, 0),
    unknown: own.reduce((sum, { cost }) => sum + cost.unknown, 0),
    passed: judged.filter(({ state }) => state === "passed").length,
    missed: judged.filter(({ state }) => state === "missed").length,
  };
}

const essence = (side: Side | null): string =>
  side === null ? "" : [side.rounds, side.attempts, side.passed, side.missed, side.known.toFixed(2)].join(" ");

/** The difference in one sentence. */
export function sentenceOf(a: RunPage, b: RunPage): string {
  const dispatches = b.head.counts.dispatches - a.head.counts.dispatches;
  const usd = b.head.cost.known - a.head.cost.known;
  const ms = b.head.lastAt - b.head.startedAt - (a.head.lastAt - a.head.startedAt);
  const parts = [
    dispatches === 0
      ? "had as many dispatches"
      : `had ${some(Math.abs(dispatches), "dispatch", "dispatches")} ${dispatches < 0 ? "fewer" : "more"}`,
    Math.abs(usd) < 0.005
      ? "has the same known cost"
      : `cost ${dollars(Math.abs(usd))} ${usd < 0 ? "less" : "more"}, as far as it is known`,
    `took ${duration(Math.abs(ms))} ${ms < 0 ? "less" : "more"}`,
  ];
  return `B ${parts.join(", ")}.`;
}

export const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "=");
