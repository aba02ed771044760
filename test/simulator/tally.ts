import { hash } from "node:crypto";
import { scenarios } from "../support/answers.ts";
import type { Violation } from "./invariants.ts";
import type { Played } from "./schedule.ts";

type Counts = Record<string, number>;

export type Broken = Violation & { readonly seed: number; readonly pipeline: string };

/** Summary of many schedules: enough to see how much of each pipeline they covered. */
export type Tally = {
  schedules: number;
  records: number;
  engines: number;
  deaths: number;
  /** Appends that were refused because another engine had taken over the run. */
  fenced: number;
  /** Ends of runs, by pipeline. */
  readonly ends: Record<string, Counts>;
  /** Runs that entered each phase, by pipeline. */
  readonly phases: Record<string, Counts>;
  readonly roles: Record<string, Counts>;
  readonly broken: Broken[];
  /** Digest of every trace, by seed: equal for equal schedules. */
  readonly traces: Record<number, string>;
};

export function emptyTally(): Tally {
  const perPipeline = () => Object.fromEntries(scenarios.map(({ pipeline }) => [pipeline.name, {}]));
  return {
    schedules: 0,
    records: 0,
    engines: 0,
    deaths: 0,
    fenced: 0,
    ends: perPipeline(),
    phases: perPipeline(),
    roles: perPipeline(),
    broken: [],
    traces: {},
  };
}

export function count(tally: Tally, played: Played, violations: readonly Violation[]): void {
  const { seed, witness, engines, records, ended } = played;
  const pipeline = played.pipeline.name;
  tally.schedules += 1;
  tally.records += records.length;
  tally.engines += engines.lives.length;
  tally.deaths += engines.lives.filter((life) => life.process.state === "dead").length;
  tally.fenced += engines.lives.filter((life) => life.fenced).length;
  add(tally.ends[pipeline], { [ended.startsWith("!") ? "halted" : ended]: 1 });
  for (const title of witness.phases) add(tally.phases[pipeline], { [title]: 1 });
  for (const role of witness.roles) add(tally.roles[pipeline], { [role]: 1 });
  tally.broken.push(...violations.map((violation) => ({ ...violation, seed, pipeline })));
  tally.traces[seed] = hash("sha256", witness.trace.join("\n")).slice(0, 16);
}

export function merge(tally: Tally, other: Tally): void {
  for (const name of ["schedules", "records", "engines", "deaths", "fenced"] as const) tally[name] += other[name];
  for (const part of ["ends", "phases", "roles"] as const) {
    for (const [pipeline, counts] of Object.entries(other[part])) add(tally[part][pipeline], counts);
  }
  tally.broken.push(...other.broken);
  Object.assign(tally.traces, other.traces);
}

function add(counts: Counts = {}, more: Counts): void {
  for (const [name, number] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + number;
}

/** Lists declared phases that no schedule reached and that are therefore untested. */
export function neverReached(tally: Tally): readonly string[] {
  const pipelines = new Map(scenarios.map(({ pipeline }) => [pipeline.name, pipeline]));
  return [...pipelines].flatMap(([name, { phases }]) =>
    phases.filter(({ title }) => !tally.phases[name]?.[title]).map(({ title }) => `${name}: ${title}`),
  );
}

export function linesOf(tally: Tally): readonly string[] {
  const { schedules, records, engines, deaths, fenced } = tally;
  const shown = (counts: Counts | undefined): string =>
    Object.entries(counts ?? {})
      .sort(([, a], [, b]) => b - a)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ");
  return [
    `${schedules} schedules: ${records} records by ${engines} engines, ${deaths} died, ${fenced} were fenced`,
    ...Object.keys(tally.ends).flatMap((pipeline) => [
      `${pipeline} ended: ${shown(tally.ends[pipeline])}`,
      `${pipeline} reached: ${shown(tally.phases[pipeline])}`,
    ]),
  ];
}
