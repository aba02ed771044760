import type {
  CheckRow,
  DispatchRow,
  GateRow,
  PageRow,
  PhaseRow,
  QuestionRow,
  StepRow,
} from "../../../src/views/page/page.ts";

export type RowsByKind = {
  readonly phases: readonly PhaseRow[];
  readonly dispatches: readonly DispatchRow[];
  readonly checks: readonly CheckRow[];
  readonly gates: readonly GateRow[];
  readonly questions: readonly QuestionRow[];
  readonly steps: readonly StepRow[];
  /** All rows but the phases, in order. */
  readonly choosable: readonly SelectableRow[];
};

const cache = new WeakMap<readonly PageRow[], RowsByKind>();

/** Groups rows by kind. The result is cached per list, because many components use it. */
export function groupRows(rows: readonly PageRow[]): RowsByKind {
  const before = cache.get(rows);
  if (before) return before;
  const sorted = sortRows(rows);
  cache.set(rows, sorted);
  return sorted;
}

function sortRows(rows: readonly PageRow[]): RowsByKind {
  const phases: PhaseRow[] = [];
  const dispatches: DispatchRow[] = [];
  const checks: CheckRow[] = [];
  const gates: GateRow[] = [];
  const questions: QuestionRow[] = [];
  const steps: StepRow[] = [];
  for (const row of rows) {
    if (row.kind === "phase") phases.push(row);
    else if (row.kind === "dispatch") dispatches.push(row);
    else if (row.kind === "check") checks.push(row);
    else if (row.kind === "gate") gates.push(row);
    else if (row.kind === "question") questions.push(row);
    else steps.push(row);
  }
  phases.sort((one, other) => one.position - other.position);
  const listSelectable = rows.filter((row): row is SelectableRow => row.kind !== "phase");
  return { phases, dispatches, checks, gates, questions, steps, choosable: listSelectable };
}

/** A row that can be selected. Phases are headings and cannot. */
export type SelectableRow = Exclude<PageRow, PhaseRow>;

export const listSelectable = (rows: readonly PageRow[]): readonly SelectableRow[] => groupRows(rows).choosable;

const FAILURES = new Set(["failed", "missed", "error", "revision", "flaky"]);
export const isFailure = (row: PageRow): boolean => FAILURES.has(row.state);

export function getRound(row: SelectableRow): number {
  if (row.kind === "dispatch" || row.kind === "gate" || row.kind === "check") return row.round;
  return Number(/\/round-(\d+)(?:\/|$)/.exec(row.key)?.[1] ?? 1);
}

export function getRowName(row: SelectableRow): string {
  if (row.kind === "dispatch") return row.who;
  if (row.kind === "check") return row.task === "" ? row.check : `${row.check} ${row.task}`;
  if (row.kind === "gate") return row.gate;
  return row.kind === "question" ? row.title : row.name || row.verb;
}

/** Explains the state of a row in a few words. */
export function explainRow(row: SelectableRow): string {
  if (row.kind === "dispatch") return row.attempts.at(-1)?.because || row.claim?.text || "";
  if (row.kind === "check") return row.because;
  if (row.kind === "step") return row.text;
  if (row.kind === "question") return row.answer ? `${row.answer.choice} by ${row.answer.by}` : "waiting for an answer";
  const missed = row.rules.filter(({ passed }) => !passed);
  if (missed.length === 0) return row.rules.length === 1 ? "1 rule" : `${row.rules.length} rules`;
  return missed.map(formatRule).join(", ");
}

export const formatRule = (rule: { readonly rule: string; readonly actual: unknown; readonly need: unknown }): string =>
  `${rule.rule} is ${formatValue(rule.actual)}, needs ${formatValue(rule.need)}`;

export const formatValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Returns whether there are so many steps that a table is clearer than a graph. */
export const isHuge = (rows: readonly PageRow[]): boolean => listSelectable(rows).length > HUGE_ABOVE;
const HUGE_ABOVE = 200;

/** Returns the same work in the next or previous round. */
export function findOtherRound(rows: readonly PageRow[], row: SelectableRow, by: 1 | -1): SelectableRow | undefined {
  const same = listSelectable(rows)
    .filter((each) => each.kind === row.kind && each.phase === row.phase && getRowName(each) === getRowName(row))
    .toSorted((one, other) => getRound(one) - getRound(other));
  return same[same.findIndex(({ id }) => id === row.id) + by];
}
