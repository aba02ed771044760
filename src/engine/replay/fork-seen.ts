import { stateOf } from "../../core/checks/outcome/outcome.ts";
import { type JournalRecord, type RecordBody, type RecordBodyOf, RecordedRun } from "../../core/journal/record.ts";
import { runIn, runOf } from "../verbs/check-runs.ts";

type Past = {
  readonly records: readonly JournalRecord[];
  /** What the new run takes over as its own: it needs no second telling. */
  readonly taken: readonly RecordBody[];
  readonly start: Pick<RecordBodyOf<"run.started">, "base" | "commands">;
};

/**
 * What an older run, and those before it, saw of commands that were red on a tree, turn by turn. A run that goes on from
 * it looks for itself, and a pass on the same tree is then no pass but a check that does not agree with itself. What
 * never came to judging a tree says nothing about it; the base is looked at anew before every run.
 */
export function seenFrom({ records, taken, start }: Past): readonly RecordedRun[] {
  const known = new Set(taken.flatMap((fact) => (fact.type === "evidence.recorded" ? [placeOf(fact)] : [])));
  const isMeant = (each: RecordedRun): boolean =>
    start.commands.some(({ run }) => run === each.command) &&
    each.tree !== start.base.tree &&
    !known.has(placeOf(each));
  const places = Map.groupBy([...inherited(records), ...recorded(records)].filter(isMeant), placeOf);
  return [...places.values()].flatMap(redTurns);
}

/** The same run is recorded in every look at its tree. */
function redTurns(runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const turns = [...new Map(runs.map((each) => [each.turn, each])).values()].toSorted((a, b) => a.turn - b.turn);
  const judging = turns.filter((each) => stateIn(each) !== "not-run");
  return judging.some((each) => stateIn(each) === "red") ? judging.map((each, at) => ({ ...each, turn: at + 1 })) : [];
}

const stateIn = (each: RecordedRun) => stateOf(runOf(runIn(each)));

const inherited = ([first]: readonly JournalRecord[]): readonly RecordedRun[] =>
  first?.type === "run.started" ? (first.from?.seen ?? []) : [];

/** A composed tree is nobody's work. */
const recorded = (records: readonly JournalRecord[]): readonly RecordedRun[] =>
  records.flatMap((record) =>
    record.type === "evidence.recorded" && record.halves === undefined ? [RecordedRun.parse(record)] : [],
  );

const placeOf = ({ tree, command, cwd = "" }: Pick<RecordedRun, "tree" | "command" | "cwd">): string =>
  `${tree} ${cwd} ${command}`;
