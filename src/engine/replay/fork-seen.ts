import { classifyRun } from "../../core/checks/outcome/outcome.ts";
import { type JournalRecord, type RecordBody, type RecordBodyOf, RecordedRun } from "../../core/journal/record.ts";
import { toCheckRun, toCommandRun } from "../verbs/check-runs.ts";

type PastRun = {
  readonly records: readonly JournalRecord[];
  /** Records that the new run takes over as its own; they need not be listed again. */
  readonly taken: readonly RecordBody[];
  readonly start: Pick<RecordBodyOf<"run.started">, "base" | "commands">;
};

/**
 * Lists the command results of an older run, and of those before it, for trees on which a command was red. A fork runs
 * them again, and a pass on the same tree then makes the check flaky instead of passed. Runs that never judged a tree
 * are left out, and the base is checked again before every run.
 */
export function listRedRuns({ records, taken, start }: PastRun): readonly RecordedRun[] {
  const known = new Set(taken.flatMap((fact) => (fact.type === "evidence.recorded" ? [formatRunPlace(fact)] : [])));
  const isMeant = (each: RecordedRun): boolean =>
    start.commands.some(({ run }) => run === each.command) &&
    each.tree !== start.base.tree &&
    !known.has(formatRunPlace(each));
  const places = Map.groupBy([...listInherited(records), ...listRecordedRuns(records)].filter(isMeant), formatRunPlace);
  return [...places.values()].flatMap(selectRedTurns);
}

/** The same run is recorded at every check of its tree. */
function selectRedTurns(runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const turns = [...new Map(runs.map((each) => [each.turn, each])).values()].toSorted((a, b) => a.turn - b.turn);
  const judging = turns.filter((each) => getRunState(each) !== "not-run");
  return judging.some((each) => getRunState(each) === "red")
    ? judging.map((each, at) => ({ ...each, turn: at + 1 }))
    : [];
}

const getRunState = (each: RecordedRun) => classifyRun(toCheckRun(toCommandRun(each)));

const listInherited = ([first]: readonly JournalRecord[]): readonly RecordedRun[] =>
  first?.type === "run.started" ? (first.from?.seen ?? []) : [];

/** Leaves out composed trees: they are not the work of an agent. */
const listRecordedRuns = (records: readonly JournalRecord[]): readonly RecordedRun[] =>
  records.flatMap((record) =>
    record.type === "evidence.recorded" && record.halves === undefined ? [RecordedRun.parse(record)] : [],
  );

const formatRunPlace = ({ tree, command, cwd = "" }: Pick<RecordedRun, "tree" | "command" | "cwd">): string =>
  `${tree} ${cwd} ${command}`;
