import type { Marks } from "./dispatches.ts";
import { atMost, type Figure, percentile, shown } from "./figure.ts";

/**
 * Times of one round: called by hand in a used and in a fresh home, dispatched, and dispatched into a sandbox if
 * available.
 */
export type Round = {
  readonly byHand: number;
  readonly freshHome: number;
  readonly dispatched: Marks;
  readonly confined?: Marks;
};

export function realFigures(name: string, rounds: readonly Round[]): Figure[] {
  const hand = rounds.map(({ byHand }) => byHand);
  const fresh = rounds.map(({ freshHome }) => freshHome);
  const open = rounds.map(({ dispatched }) => dispatched);
  const confined = rounds.flatMap((round) => (round.confined ? [round.confined] : []));
  const sandboxed = `${name} dispatched into a sandbox`;
  return [
    { name: `${name} by hand, p50 / p90 of ${rounds.length}`, reached: `${p50(hand)} / ${p90(hand)} ms` },
    compareRounds(`${name} by hand in a fresh home, p50 / p90`, fresh, hand),
    compareRounds(`${name} dispatched, p50 / p90`, open.map(whole), hand),
    { name: `${name} dispatched, its parts, p50`, reached: parts(open) },
    adds(`engine overhead of a ${name} dispatch without opening the tree and snapshot, p50`, open),
    ...(confined.length === 0 ? [] : [compareRounds(`${sandboxed}, p50 / p90`, confined.map(whole), hand)]),
    ...(confined.length === 0 ? [] : [{ name: `${sandboxed}, its parts, p50`, reached: parts(confined) }]),
  ];
}

function adds(name: string, marks: readonly Marks[]): Figure {
  const from = `p90 ${p90(marks.map(added))}`;
  return atMost({ name, value: percentile(marks.map(added), 0.5), target: 10, unit: "ms", from });
}

const p50 = (values: readonly number[]) => shown(percentile(values, 0.5));
const p90 = (values: readonly number[]) => shown(percentile(values, 0.9));

const whole = ({ verb, recorded }: Marks) => recorded - verb;
const before = ({ verb, opening, started }: Marks) => started - verb - opening;
const after = ({ exited, snapshot, recorded }: Marks) => recorded - exited - snapshot;
const added = (marks: Marks) => before(marks) + after(marks);

/** Compares round by round, so that a load peak of the machine affects both sides. */
function compareRounds(name: string, times: readonly number[], hand: readonly number[]): Figure {
  const ratio = times.map((ms, at) => ms / (hand[at] ?? Number.NaN));
  const more = times.map((ms, at) => ms - (hand[at] ?? Number.NaN));
  const beside = `${percentile(ratio, 0.5).toFixed(2)} × by hand, ${p50(more)} ms more`;
  return { name, reached: `${p50(times)} / ${p90(times)} ms (${beside})` };
}

function parts(marks: readonly Marks[]): string {
  const of = (part: (marks: Marks) => number) => p50(marks.map(part));
  return [
    `opening the tree ${of(({ opening }) => opening)}`,
    `until the process runs ${of(before)}`,
    `the process ${of(({ started, exited }) => exited - started)}`,
    `snapshot ${of(({ snapshot }) => snapshot)}`,
    `from its end to the stored result without the snapshot ${of(after)} ms`,
  ].join(", ");
}
