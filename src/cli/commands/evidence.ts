import { explainSkippedExam, formatHalves, formatNewOnOld } from "../../core/checks/exam/exam-run-words.ts";
import { explainCheck, formatTestCounts, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import { formatQuestionContent } from "../../surfaces/terminal/question-lines.ts";
import { formatTable, type TableCell } from "../../surfaces/terminal/table.ts";
import {
  deduplicateEvidence,
  type EvidenceReport,
  formatTurn,
  getClaimant,
  groupEvidenceByTask,
  isRejectedResult,
  selectLatestChecks,
  type TaskEvidence,
} from "../../views/evidence.ts";
import { formatClaim } from "../../views/format-claim.ts";
import type { Call } from "../call.ts";
import { formatVerification } from "../inspect/verification-lines.ts";
import { verifyRun } from "../inspect/verify-run.ts";
import { type RecordedRun, type ViewedRun, withRun, withView } from "../runs/with-run.ts";

const SHOWN_LINES = 40;

export type EvidenceFlags = { readonly verify?: boolean; readonly check?: boolean };

export async function showEvidence(call: Call, asked: string | undefined, flags: EvidenceFlags): Promise<number> {
  const bad = flags.verify
    ? await withRun(call, asked, (found) => printVerification(call, found))
    : await withView(call, asked, async (found) => printEvidence(call, found));
  return bad && flags.check ? 1 : 0;
}

async function printVerification(call: Call, found: RecordedRun): Promise<boolean> {
  const verification = await verifyRun(found);
  const agrees = verification.differences.length === 0;
  if (call.json) call.emit({ v: 1, run: found.row.id, agrees, ...verification });
  else for (const line of formatVerification(call.paint, found.row.id, verification)) call.print(line);
  return !agrees;
}

function printEvidence(call: Call, { store, row, view }: ViewedRun): boolean {
  const all = view.evidence;
  const tasks = redactDeep(groupEvidenceByTask(view), store.world.redact);
  const bad = selectLatestChecks(all).filter(isRejectedResult);
  const asked = view.open.map(({ approval, title, show, brief, paths, tree }) => ({
    approval,
    title,
    show,
    ...(brief ? { brief } : {}),
    ...(paths ? { paths } : {}),
    ...(tree === undefined ? {} : { tree }),
  }));
  if (call.json) {
    call.emit({ v: 1, run: row.id, passed: bad.length === 0, tasks, asked });
    return bad.length > 0;
  }
  const { paint, print } = call;
  const count = `${all.length} ${all.length === 1 ? "result" : "results"}`;
  const verdict = `${bad.length === 0 ? "none" : bad.length} failed`;
  const about = all.length > 0 ? `${count}, ${verdict}` : count;
  print(`${paint.bold("evidence")}  ${row.pipeline}  ${row.id}  ${paint.dim(about)}`);
  for (const task of tasks) for (const line of formatTaskEvidence(call, task)) print(line);
  for (const each of asked) {
    print(
      `\n${paint.yellow("◆")} ${paint.bold(toOneLine(each.title))}  ${each.approval}  ${paint.dim("not recorded until it is answered")}`,
    );
    for (const line of formatQuestionContent({ run: row.id, ...each }, SHOWN_LINES)) print(`    ${line}`);
  }
  if (all.length === 0) print("  The engine ran no checks: none is configured, or the pipeline requested none.");
  print(`\n${paint.dim(`  compare with the record: signalbox evidence ${row.id} --verify`)}`);
  return bad.length > 0;
}

function formatTaskEvidence({ paint }: Call, { task, claims, evidence: seen }: TaskEvidence): string[] {
  const said = claims.map((each) => {
    const round = each.round > 1 ? `round ${each.round}` : "";
    const attempt = each.attempt > 1 ? `attempt ${each.attempt}` : "";
    const which = [round, attempt].filter(Boolean).join(", ");
    return [
      { text: `  ${toOneLine(getClaimant(each), 30)} claims` },
      { text: toOneLine(each.by ?? "", 24) },
      { text: which },
      { text: each.after.slice(0, 7), painted: paint.dim(each.after.slice(0, 7)) },
      { text: toOneLine(formatClaim(each.claim), 60) },
    ];
  });
  const cells = deduplicateEvidence(seen).map((each) => [
    { text: `  ${each.phase === "baseline" ? "before" : "after"}` },
    { text: toOneLine(each.check, 24) },
    formatResultCell(paint, each),
    ...formatExitCells(each),
    { text: each.tree.slice(0, 7), painted: paint.dim(each.tree.slice(0, 7)) },
    { text: describeDetail(each) },
  ]);
  return [
    "",
    paint.bold(toOneLine(task) || "(whole run)"),
    ...formatTable(said),
    ...formatTable(cells),
    ...formatSkippedParse(paint, seen),
  ];
}

/** The engine's own file check has no row if no changed file has a format that it parses. */
function formatSkippedParse(paint: Call["paint"], seen: readonly EvidenceReport[]): string[] {
  const hasCheck = (name: string) => seen.some(({ check }) => check === name);
  if (!hasCheck("tamper") || hasCheck("parses")) return [];
  return [paint.dim("  parses was skipped: no changed file is JSON, YAML or TOML")];
}

/** An exam that was not run has no exit code or duration. */
function formatExitCells(seen: EvidenceReport): TableCell[] {
  if (explainSkippedExam(seen) !== undefined) return [{ text: "" }, { text: "" }];
  return [{ text: seen.exitCode === null ? "no exit" : `exit ${seen.exitCode}` }, { text: formatDuration(seen.ms) }];
}

function formatResultCell(paint: Call["paint"], seen: EvidenceReport): TableCell {
  if (explainSkippedExam(seen) !== undefined) return { text: "– not run", painted: paint.dim("– not run") };
  const text = `${seen.passed ? "✓" : "✗"} ${getOutcomeWord(seen)}`;
  const colour = isRejectedResult(seen)
    ? paint.red
    : seen.passed && getOutcomeWord(seen) === "passed"
      ? paint.green
      : paint.yellow;
  return { text, painted: colour(text) };
}

/** Explains failing tests of an exam row, whose result is about the change and not about the command. */
function describeExam(seen: EvidenceReport): string {
  const { check, passed, findings = [] } = seen;
  if (check === "exam-old-on-new" && passed)
    return [formatHalves(seen), ...findings.map(({ message }) => message)].filter(Boolean).join("; ");
  return formatNewOnOld(seen) ?? formatHalves(seen);
}

function describeDetail(seen: EvidenceReport): string {
  const needless = explainSkippedExam(seen);
  if (needless !== undefined) return needless;
  const round = seen.round > 1 ? `round ${seen.round}` : "";
  const because = seen.check === "parses" && seen.passed ? seen.snippet : explainCheck(seen);
  const counted = formatNewOnOld(seen) === undefined ? formatTestCounts(seen.tests) : "";
  return toOneLine([round, formatTurn(seen), counted, because, describeExam(seen)].filter(Boolean).join(" · "), 120);
}
