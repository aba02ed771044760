import { claimText } from "../../surfaces/reports/claim-text.ts";
import {
  type EvidenceSeen,
  evidenceByTask,
  evidenceIn,
  isBad,
  resultOf,
  standingChecks,
  type TaskEvidence,
} from "../../surfaces/reports/evidence.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { duration } from "../../surfaces/terminal/duration.ts";
import { table } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { type RunBook, withRun } from "../run-book.ts";
import { verificationLines } from "../verification-lines.ts";
import { verifyRun } from "../verify-run.ts";

export type EvidenceFlags = { readonly verify?: boolean; readonly check?: boolean };

export async function evidence(call: Call, asked: string | undefined, flags: EvidenceFlags): Promise<number> {
  return withRun(call, asked, async (found) => {
    const bad = flags.verify ? await verified(call, found) : listed(call, found);
    return bad && flags.check ? 1 : 0;
  });
}

async function verified(call: Call, found: RunBook): Promise<boolean> {
  const verification = await verifyRun(found);
  const agrees = verification.differences.length === 0;
  if (call.json) call.emit({ v: 1, run: found.row.id, agrees, ...verification });
  else for (const line of verificationLines(call.paint, found.row.id, verification)) call.print(line);
  return !agrees;
}

function listed(call: Call, { row, records }: RunBook): boolean {
  const all = evidenceIn(records);
  const bad = standingChecks(all).filter(isBad);
  if (call.json) {
    call.emit({ v: 1, run: row.id, passed: bad.length === 0, tasks: evidenceByTask(records) });
  } else {
    const count = `${all.length} ${all.length === 1 ? "result" : "results"}`;
    const verdict = bad.length === 0 ? "none stands as failed" : `${bad.length} stand as failed`;
    call.print(`${call.paint.bold("evidence")}  ${row.pipeline}  ${row.id}  ${call.paint.dim(`${count}, ${verdict}`)}`);
    for (const task of evidenceByTask(records)) for (const line of taskLines(call, task)) call.print(line);
    if (all.length === 0)
      call.print("  The engine has run no check in this run: there were no commands, or it was not asked to.");
    call.print("");
    call.print(call.paint.dim(`  is it still what was recorded? signalbox evidence ${row.id} --verify`));
  }
  return bad.length > 0;
}

function taskLines({ paint }: Call, { task, claims, evidence: seen }: TaskEvidence): string[] {
  const said = claims.map(({ role, instance, attempt, round, after, claim }) => {
    const who = instance && instance !== task ? instance : role;
    const which = [round > 1 ? `round ${round}` : "", attempt > 1 ? `attempt ${attempt}` : ""]
      .filter(Boolean)
      .join(", ");
    const head = `  ${who} claims${which ? ` (${which})` : ""}`;
    return `${head}  ${paint.dim(after.slice(0, 7))}  ${oneLine(claimText(claim), 92 - head.length)}`;
  });
  const cells = seen.map((each) => [
    { text: `  ${each.phase === "baseline" ? "before" : "after"}` },
    { text: oneLine(each.check, 24) },
    resultCell(paint, each),
    { text: each.exitCode === null ? "no exit" : `exit ${each.exitCode}` },
    { text: duration(each.ms) },
    { text: each.tree.slice(0, 7), painted: paint.dim(each.tree.slice(0, 7)) },
    { text: detailOf(each) },
  ]);
  return ["", paint.bold(oneLine(task) || "(the whole)"), ...said, ...table(cells)];
}

function resultCell(paint: Call["paint"], seen: EvidenceSeen) {
  const text = `${seen.passed ? "✓" : "✗"} ${resultOf(seen)}`;
  const colour = isBad(seen) ? paint.red : seen.passed && resultOf(seen) === "passed" ? paint.green : paint.yellow;
  return { text, painted: colour(text) };
}

function detailOf(seen: EvidenceSeen): string {
  const tests = seen.tests ? `${seen.tests.passed}/${seen.tests.total} tests` : "";
  const round = seen.round > 1 ? `round ${seen.round}` : "";
  const again = seen.turn > 1 ? "second run" : "";
  const last = seen.passed ? "" : (seen.snippet.split("\n").findLast((line) => line.trim()) ?? "");
  const findings = (seen.findings ?? []).map((finding) => finding.message).join("; ");
  return oneLine([round, again, tests, findings || last].filter(Boolean).join(" · "), 48);
}
