import type { RunPage } from "../../../src/views/page/page.ts";
import { formatDollars, formatElapsed, formatQuantity } from "../../parts/format.ts";
import { groupRows } from "../run/rows.ts";

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

/** Compares two runs phase by phase. A different duration alone is no difference, because durations always vary. */
export function comparePhases(a: RunPage, b: RunPage): readonly CompareLine[] {
  const names = [...new Set([a, b].flatMap(({ rows }) => groupRows(rows).phases.map(({ phase }) => phase)))];
  return names.map((phase) => {
    const sides = [buildSide(a, phase), buildSide(b, phase)] as const;
    return { phase, a: sides[0], b: sides[1], differs: toComparisonKey(sides[0]) !== toComparisonKey(sides[1]) };
  });
}

function buildSide({ rows }: RunPage, phase: string): Side | null {
  const { phases, dispatches, gates } = groupRows(rows);
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

const toComparisonKey = (side: Side | null): string =>
  side === null ? "" : [side.rounds, side.attempts, side.passed, side.missed, side.known.toFixed(2)].join(" ");

/** Describes the difference in one sentence. */
export function describeDifference(a: RunPage, b: RunPage): string {
  const dispatches = b.head.counts.dispatches - a.head.counts.dispatches;
  const usd = b.head.cost.known - a.head.cost.known;
  const ms = b.head.lastAt - b.head.startedAt - (a.head.lastAt - a.head.startedAt);
  const parts = [
    dispatches === 0
      ? "had the same number of dispatches"
      : `had ${formatQuantity(Math.abs(dispatches), "dispatch", "dispatches")} ${dispatches < 0 ? "fewer" : "more"}`,
    Math.abs(usd) < 0.005
      ? "had the same known cost"
      : `cost ${formatDollars(Math.abs(usd))} ${usd < 0 ? "less" : "more"} (known cost)`,
    `took ${formatElapsed(Math.abs(ms))} ${ms < 0 ? "less" : "more"}`,
  ];
  return `B ${parts.join(", ")}.`;
}

export const formatSigned = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "=");
