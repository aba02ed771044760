import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import { formatNeed } from "../../core/text/need-text.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import { formatTable, type TableCell } from "../../surfaces/terminal/table.ts";
import { matchesRule } from "./known-rules.ts";
import type { Evaluation, EvaluationResult } from "./reevaluate.ts";
import type { RuleRows } from "./rule-rows.ts";

const ROWS_SHOWN = 12;

type EvaluationReport = {
  readonly run: string;
  /** Name as typed. A rule id shows all rows; a gate's name shows rows only of failures. */
  readonly name: string;
  readonly evaluations: readonly Evaluation[];
  /** First difference between the ledger as stored now and as recorded. */
  readonly difference: string | undefined;
};

export function formatEvaluations(paint: Paint, { run, name, evaluations, difference }: EvaluationReport): string[] {
  const judged = evaluations.filter((each) => each.agrees !== null);
  const differ = judged.filter((each) => each.agrees === false).length;
  const unknown = evaluations.length - judged.length;
  const summary = [
    `${evaluations.length} ${evaluations.length === 1 ? "evaluation" : "evaluations"} in ${run}`,
    differ > 0
      ? paint.red(`${differ} would have another result now`)
      : judged.length > 0
        ? "re-evaluated with the same result"
        : "",
    unknown > 0 ? `${unknown} not re-evaluated` : "",
  ];
  const sql = evaluations.find((each) => each.rows.length > 0);
  return [
    ...evaluations.flatMap((each) => {
      const showRows = matchesRule(name, each.rule) || !each.recorded.passed || each.agrees === false;
      return [
        ...formatEvaluation(paint, each),
        ...each.rows.flatMap((rows) => formatRuleRows(paint, rows, showRows)),
        "",
      ];
    }),
    paint.dim(summary.filter(Boolean).join(" · ")),
    ...(difference === undefined
      ? []
      : [
          paint.red(
            `the ledger has changed since the evaluation: ${toOneLine(difference, 200)}; evidence ${run} --verify`,
          ),
        ]),
    ...(sql ? [paint.dim(`source: signalbox gate ${sql.rule} --sql --run ${run}`)] : []),
  ];
}

function formatEvaluation(paint: Paint, each: Evaluation): string[] {
  const { recorded, now, rule } = each;
  const glyph = recorded.passed ? paint.green("✓") : paint.red("✗");
  const word = recorded.passed ? "passed" : "failed";
  const needs = toOneLine(formatNeed({ ...recorded, compare: each.compare ?? undefined }), 80);
  const again = now
    ? `${formatMeasured(now)}${each.agrees ? "the same" : paint.red(now.passed ? "would pass" : "would fail")}`
    : `not evaluated: ${toOneLine(each.unknown ?? "", 200)}`;
  return [
    `${glyph} ${paint.bold(toOneLine(rule))} ${word}  ${toOneLine(each.because, 80)}`,
    paint.dim(`  ${toOneLine(each.key, 80)} · record ${each.seq}`),
    `  recorded  ${formatMeasured(recorded)}${[word, needs].filter(Boolean).join(", ")}`,
    `  now       ${again}`,
  ];
}

const formatMeasured = ({ actual }: EvaluationResult): string => (actual === null ? "" : `${formatValue(actual)} · `);
const formatValue = (value: unknown): string =>
  toOneLine(typeof value === "string" ? value : JSON.stringify(value), 60);

/** Columns worth comparing; `signalbox sql` shows the rest. */
const COLUMNS: Partial<Record<LedgerTable, readonly string[]>> = {
  anvil_checks: ["task_id", "phase", "round", "check_name", "instance", "verdict", "passed", "exit_code", "tree"],
  pipeline_telemetry: ["step", "agent", "instance", "status", "dispatch_count", "retry_count"],
};

function formatRuleRows(paint: Paint, { table: name, rows, more }: RuleRows, showRows: boolean): string[] {
  const count = `${rows.length}${more ? " or more" : ""} of ${name}`;
  if (rows.length === 0) return [`  rows      none of ${name}`];
  if (!showRows) return [`  rows      ${count}`];
  const all: readonly string[] = LEDGER_TABLES[name];
  const picked = COLUMNS[name] ?? all;
  const columns = picked.filter((column) => isDistinctive(rows, all.indexOf(column)));
  const head = ["record", ...columns].map((text) => ({ text, painted: paint.dim(text) }));
  const body = rows
    .slice(0, ROWS_SHOWN)
    .map(({ record, values }): TableCell[] => [
      { text: String(record) },
      ...columns.map((column) => ({ text: formatCell(column, values[all.indexOf(column)]) })),
    ]);
  const left = rows.length - ROWS_SHOWN;
  return [
    `  rows      ${count}`,
    ...formatTable([head, ...body]).map((line) => `    ${line}`),
    ...(left > 0 ? [paint.dim(`    … ${left} more: --json lists them`)] : []),
  ];
}

/** Hides a column that has the same value in all rows; that value is among the parameters. */
function isDistinctive(rows: RuleRows["rows"], at: number): boolean {
  const values = new Set(rows.map(({ values: row }) => row[at]));
  return rows.length === 1 ? hasValue([...values][0]) : values.size > 1;
}

const hasValue = (value: string | number | null | undefined): boolean =>
  value !== null && value !== undefined && value !== "";

function formatCell(column: string, value: string | number | null | undefined): string {
  if (!hasValue(value)) return "–";
  return toOneLine(String(value), column === "tree" ? 8 : 28);
}
