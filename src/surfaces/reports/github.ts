import { explainSkippedExam, formatNewOnOld } from "../../core/checks/exam/exam-run-words.ts";
import { explainCheck, formatTestCounts, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { selectLatestGates } from "../../core/journal/gate-place.ts";
import { counted } from "../../core/text/count.ts";
import { escapeRunnerCommands } from "../../core/text/runner-commands.ts";
import { selectLatestChecks } from "../../views/evidence.ts";
import { toCheckState } from "../../views/page/rows/check-rows.ts";
import { STATES } from "../../views/states.ts";
import { listLocations } from "./finding-locations.ts";
import {
  escapeInline,
  formatCodeBlock,
  formatInlineCode,
  formatMarkdownTable,
  formatReportDuration,
  formatReportedCost,
  formatState,
  toGateState,
} from "./markdown-text.ts";
import { listOpenFindings, type OpenFinding } from "./open-findings.ts";
import type { RunReport } from "./run-report.ts";
import { formatAnnotations } from "./workflow-commands.ts";

/** Maximum size of a step summary. GitHub rejects a larger one completely. */
export const SUMMARY_BYTES = 1024 * 1024;
const MAX_ROWS = 200;
const MAX_OUTPUT = 8_000;

export type GithubReport = { readonly summary: string; readonly annotations: readonly string[] };

/** Renders a report for GitHub. `room` is the number of bytes left in the summary of this step. */
export function renderGithubReport(report: RunReport, room: number = SUMMARY_BYTES): GithubReport {
  const parts = [
    formatHead(report),
    formatSection(
      "Caveats",
      report.caveats.slice(0, MAX_ROWS).map((each) => `- ${escapeInline(each, 600)}`),
    ),
    formatSection("Gates", formatGates(report)),
    formatSection("Checks", formatChecks(report)),
    ...formatFailingChecks(report),
    formatSection("Findings", formatFindings(listOpenFindings(report))),
    formatSection("Phases", formatPhases(report)),
  ];
  return { summary: joinFittingParts(parts, room), annotations: formatAnnotations(report) };
}

/** Adds whole parts in order of importance, because a cut inside a table or code fence breaks the summary. */
function joinFittingParts(parts: readonly (readonly string[])[], room: number): string {
  const note =
    "\nThis summary is incomplete because GitHub limits its size. Run `signalbox report` for the full report.\n";
  let [text, left] = ["", 0];
  for (const lines of parts.filter((each) => each.length > 0)) {
    const next = `${text === "" ? "" : "\n"}${escapeRunnerCommands(lines.join("\n"))}\n`;
    if (Buffer.byteLength(text) + Buffer.byteLength(next) + Buffer.byteLength(note) > room) left += 1;
    else text += next;
  }
  if (left === 0) return text;
  return Buffer.byteLength(text) + Buffer.byteLength(note) > room ? "" : text + note;
}

function formatSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${title}`, "", ...lines];
}

function formatHead(report: RunReport): readonly string[] {
  const { state, pipeline, reason, confidence, run, exit, commits, next, spent } = report;
  const facts = [
    `run ${formatInlineCode(run)}`,
    formatReportDuration(report.lastAt - report.startedAt),
    `cost ${formatReportedCost(spent)}`,
    counted(spent.attempts, "attempt"),
    confidence === null ? "" : `confidence ${confidence}`,
    exit === null ? "" : `exit ${exit}`,
  ];
  const made = commits.map(
    ({ commit, branch }) => `${formatInlineCode(commit.slice(0, 10))} on ${formatInlineCode(branch)}`,
  );
  return [
    `## ${STATES[state].glyph} signalbox · ${escapeInline(pipeline)}: ${STATES[state].word}`,
    "",
    ...(reason === null ? [] : [escapeInline(reason, 600), ""]),
    facts.filter(Boolean).join(" · "),
    ...(made.length === 0 ? [] : ["", `Commit: ${made.join(", ")}`]),
    ...(next.length === 0 ? [] : ["", "Next:", ...formatCodeBlock(next.join("\n"), MAX_OUTPUT)]),
  ];
}

function formatGates(report: RunReport): readonly string[] {
  const rows = selectLatestGates(report.decisions).flatMap((gate) =>
    gate.rules.map(({ rule, actual, need, ...each }) => [
      formatState(toGateState(each)),
      escapeInline(gate.gate),
      escapeInline(rule),
      formatInlineCode(JSON.stringify(actual).slice(0, 200)),
      formatInlineCode(JSON.stringify(need).slice(0, 200)),
    ]),
  );
  return rows.length === 0 ? [] : formatCappedTable(["", "Gate", "Rule", "Found", "Needs"], rows);
}

function formatChecks(report: RunReport): readonly string[] {
  const rows = selectChecks(report).map((seen) => [
    explainSkippedExam(seen) === undefined
      ? `${STATES[toCheckState(seen)].glyph} ${getOutcomeWord(seen)}`
      : formatState("skipped"),
    escapeInline(seen.task === "" ? seen.check : `${seen.task} › ${seen.check}`),
    formatTestCounts(seen.tests),
    formatReportDuration(seen.ms),
    escapeInline(explainSkippedExam(seen) ?? formatNewOnOld(seen) ?? explainCheck(seen), 240),
  ]);
  return rows.length === 0 ? [] : formatCappedTable(["", "Check", "Tests", "Time", "Because"], rows);
}

const selectChecks = ({ evidence }: RunReport) => selectLatestChecks(evidence.flatMap((task) => task.evidence));

/** Formats the output of each failing check in a collapsed section. */
function formatFailingChecks(report: RunReport): readonly (readonly string[])[] {
  const failed = selectChecks(report).filter((seen) => toCheckState(seen) === "failed");
  return failed.slice(0, MAX_ROWS).map((seen) => {
    const title = `Output of ${seen.check}`.replace(/[&<>]/g, "");
    return [
      `<details><summary>${title}</summary>`,
      "",
      ...formatCodeBlock(seen.excerpt ?? seen.snippet, MAX_OUTPUT),
      "",
      "</details>",
    ];
  });
}

function formatFindings(found: readonly OpenFinding[]): readonly string[] {
  const rows = found.map((each) => {
    const where = listLocations(each).map(({ file, line }) =>
      formatInlineCode(line === undefined ? file : `${file}:${line}`),
    );
    return [each.severity, escapeInline(each.rule), escapeInline(each.message, 500), where.slice(0, 5).join(" ")];
  });
  return rows.length === 0 ? [] : formatCappedTable(["", "By", "Finding", "Where"], rows);
}

function formatPhases({ phases }: RunReport): readonly string[] {
  const rows = phases.map(({ title, shown, reason = "", ms, dispatches }) => [
    formatState(shown),
    escapeInline(title),
    ms > 0 ? formatReportDuration(ms) : "",
    dispatches > 0 ? String(dispatches) : "",
    escapeInline(reason),
  ]);
  return rows.length === 0 ? [] : formatCappedTable(["", "Phase", "Time", "Attempts", "Because"], rows);
}

function formatCappedTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const more = rows.length - MAX_ROWS;
  return [...formatMarkdownTable(head, rows.slice(0, MAX_ROWS)), ...(more > 0 ? ["", `and ${more} more`] : [])];
}
