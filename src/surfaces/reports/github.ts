import { newOnOldText, unsat } from "../../core/checks/exam/sitting-words.ts";
import { becauseOf, countedText, wordOf } from "../../core/checks/outcome/because.ts";
import { standingIn } from "../../core/journal/gate-place.ts";
import { counted } from "../../core/text/counted.ts";
import { withoutCommands } from "../../core/text/without-commands.ts";
import { standingChecks } from "../../views/evidence.ts";
import { checkState } from "../../views/page/rows/check-rows.ts";
import { STATES } from "../../views/states.ts";
import { type Found, foundIn } from "./found.ts";
import { block, code, gateState, inline, mdTable, moneyText, stateText, time } from "./markdown-text.ts";
import { placesOf } from "./places.ts";
import type { RunReport } from "./run-report.ts";
import { annotationLines } from "./workflow-commands.ts";

/** Maximum size of a step summary. GitHub rejects a larger one completely. */
export const SUMMARY_BYTES = 1024 * 1024;
const MAX_ROWS = 200;
const MAX_OUTPUT = 8_000;

export type GithubReport = { readonly summary: string; readonly annotations: readonly string[] };

/** Renders a report for GitHub. `room` is the number of bytes left in the summary of this step. */
export function githubReport(report: RunReport, room: number = SUMMARY_BYTES): GithubReport {
  const parts = [
    formatHead(report),
    formatSection(
      "Caveats",
      report.caveats.slice(0, MAX_ROWS).map((each) => `- ${inline(each, 600)}`),
    ),
    formatSection("Gates", formatGates(report)),
    formatSection("Checks", formatChecks(report)),
    ...formatFailingChecks(report),
    formatSection("Findings", formatFindings(foundIn(report))),
    formatSection("Phases", formatPhases(report)),
  ];
  return { summary: joinFittingParts(parts, room), annotations: annotationLines(report) };
}

/** Adds whole parts in order of importance, because a cut inside a table or code fence breaks the summary. */
function joinFittingParts(parts: readonly (readonly string[])[], room: number): string {
  const note =
    "\nThis summary is incomplete because GitHub limits its size. Run `signalbox report` for the full report.\n";
  let [text, left] = ["", 0];
  for (const lines of parts.filter((each) => each.length > 0)) {
    const next = `${text === "" ? "" : "\n"}${withoutCommands(lines.join("\n"))}\n`;
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
    `run ${code(run)}`,
    time(report.lastAt - report.startedAt),
    `cost ${moneyText(spent)}`,
    counted(spent.attempts, "attempt"),
    confidence === null ? "" : `confidence ${confidence}`,
    exit === null ? "" : `exit ${exit}`,
  ];
  const made = commits.map(({ commit, branch }) => `${code(commit.slice(0, 10))} on ${code(branch)}`);
  return [
    `## ${STATES[state].glyph} signalbox · ${inline(pipeline)}: ${STATES[state].word}`,
    "",
    ...(reason === null ? [] : [inline(reason, 600), ""]),
    facts.filter(Boolean).join(" · "),
    ...(made.length === 0 ? [] : ["", `Commit: ${made.join(", ")}`]),
    ...(next.length === 0 ? [] : ["", "Next:", ...block(next.join("\n"), MAX_OUTPUT)]),
  ];
}

function formatGates(report: RunReport): readonly string[] {
  const rows = standingIn(report.decisions).flatMap((gate) =>
    gate.rules.map(({ rule, actual, need, ...each }) => [
      stateText(gateState(each)),
      inline(gate.gate),
      inline(rule),
      code(JSON.stringify(actual).slice(0, 200)),
      code(JSON.stringify(need).slice(0, 200)),
    ]),
  );
  return rows.length === 0 ? [] : formatCappedTable(["", "Gate", "Rule", "Found", "Needs"], rows);
}

function formatChecks(report: RunReport): readonly string[] {
  const rows = selectChecks(report).map((seen) => [
    unsat(seen) === undefined ? `${STATES[checkState(seen)].glyph} ${wordOf(seen)}` : stateText("skipped"),
    inline(seen.task === "" ? seen.check : `${seen.task} › ${seen.check}`),
    countedText(seen.tests),
    time(seen.ms),
    inline(unsat(seen) ?? newOnOldText(seen) ?? becauseOf(seen), 240),
  ]);
  return rows.length === 0 ? [] : formatCappedTable(["", "Check", "Tests", "Time", "Because"], rows);
}

const selectChecks = ({ evidence }: RunReport) => standingChecks(evidence.flatMap((task) => task.evidence));

/** Formats the output of each failing check in a collapsed section. */
function formatFailingChecks(report: RunReport): readonly (readonly string[])[] {
  const failed = selectChecks(report).filter((seen) => checkState(seen) === "failed");
  return failed.slice(0, MAX_ROWS).map((seen) => {
    const title = `Output of ${seen.check}`.replace(/[&<>]/g, "");
    return [
      `<details><summary>${title}</summary>`,
      "",
      ...block(seen.excerpt ?? seen.snippet, MAX_OUTPUT),
      "",
      "</details>",
    ];
  });
}

function formatFindings(found: readonly Found[]): readonly string[] {
  const rows = found.map((each) => {
    const where = placesOf(each).map(({ file, line }) => code(line === undefined ? file : `${file}:${line}`));
    return [each.severity, inline(each.rule), inline(each.message, 500), where.slice(0, 5).join(" ")];
  });
  return rows.length === 0 ? [] : formatCappedTable(["", "By", "Finding", "Where"], rows);
}

function formatPhases({ phases }: RunReport): readonly string[] {
  const rows = phases.map(({ title, shown, reason = "", ms, dispatches }) => [
    stateText(shown),
    inline(title),
    ms > 0 ? time(ms) : "",
    dispatches > 0 ? String(dispatches) : "",
    inline(reason),
  ]);
  return rows.length === 0 ? [] : formatCappedTable(["", "Phase", "Time", "Attempts", "Because"], rows);
}

function formatCappedTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const more = rows.length - MAX_ROWS;
  return [...mdTable(head, rows.slice(0, MAX_ROWS)), ...(more > 0 ? ["", `and ${more} more`] : [])];
}
