import { WHOLE_COMMAND } from "../../../core/checks/exam/cross-examine.ts";
import { formatRestoredFiles, parsePlainCommand } from "../../../core/checks/exam/plain-command.ts";
import { extractFailureLines } from "../../../core/checks/outcome/failure-lines.ts";
import type { RecordBodyOf } from "../../../core/journal/record.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import type { CommandRun } from "../check-runs.ts";
import { toEvidenceRow } from "../evidence-record.ts";
import type { ExamFindings, ExamHalfRun } from "./cross-examine-change.ts";

type ExamResult = { readonly exam: ExamFindings; readonly task: string; readonly passed: boolean };

/** Records both exam runs with the trees of both halves, so that a verifier can compose them again. */
export function recordExam(run: Run, place: StepPlace, { exam, task, passed }: ExamResult): void {
  for (const sitting of exam.sittings) {
    const passes = sitting.check === "exam-new-on-old" || passed;
    // The first run that failed says most; a build before it may have passed.
    const telling = sitting.runs.find(({ exitCode }) => exitCode !== 0) ?? sitting.runs[0];
    for (const [at, seen] of sitting.runs.entries()) {
      const turn = sitting.runs.slice(0, at + 1).filter(({ command }) => command === seen.command).length;
      const fact = createExamFact(place, { sitting, seen, task, turn, passed: passes });
      // Rows are written for failures alone: a passed exam adds nothing to what a gate counts.
      const rows = seen === telling && !passes ? { rows: [toEvidenceRow(fact)] } : {};
      run.recorder.record({ ...fact, ...toFindingsField(sitting, exam), ...rows });
    }
  }
}

type FailingTests = { readonly named: readonly string[]; readonly back?: readonly string[] | undefined };

/**
 * Formats the start of a question: `3 old tests fail on the new code`. A command without test names says only that some
 * fail; a command that runs no tests names the restored files with which it fails.
 */
export function formatFailingTests({ named, back = [] }: FailingTests): string {
  const plain = named.flatMap((name) => parsePlainCommand(name) ?? []);
  const tests = named.length - plain.length;
  if (plain.length > 0) {
    const fails = plain.length === 1 ? "fails" : "fail";
    const also = tests === 0 ? "" : `, and ${formatTestCount(named, tests)} with ${plain.length === 1 ? "it" : "them"}`;
    return `${plain.join(", ")} ${fails} on the new code with ${formatRestoredFiles(back)}${also}`;
  }
  if (named.includes(WHOLE_COMMAND)) return "The old tests fail on the new code";
  return tests === 1 ? "1 old test fails on the new code" : `${tests} old tests fail on the new code`;
}

function formatTestCount(named: readonly string[], tests: number): string {
  if (named.includes(WHOLE_COMMAND)) return "the old tests";
  return tests === 1 ? "1 old test" : `${tests} old tests`;
}

/** Formats an exam run for a person who is asked before it is recorded. */
export function formatExamRun({ check, tree, runs }: ExamHalfRun): readonly string[] {
  return runs.map(({ command, exitCode, tests }) => {
    const ended = exitCode === null ? "no exit" : `exit ${exitCode}`;
    const counted = tests ? `, ${tests.passed} of ${tests.total} tests passed` : "";
    return `${check}: ${command}: ${ended}${counted}, on tree ${tree.slice(0, 7)}`;
  });
}

/** The output of the old tests on the new code, and the command that shows all of it. */
export type PrintedTests = { readonly printed: readonly string[]; readonly whole: readonly string[] };

/** Returns the output if no test name says what failed. */
export function getPrintedTests(run: string, { named, verdict, sittings }: ExamFindings): PrintedTests | undefined {
  if (!named.includes(WHOLE_COMMAND) && verdict !== "none") return undefined;
  const sat = sittings.filter(({ check }) => check === "exam-old-on-new").flatMap(({ runs }) => runs);
  const failed = sat.filter(({ exitCode, tests }) => exitCode !== 0 && (tests?.failing ?? []).length === 0);
  if (failed.length === 0) return undefined;
  // The last run of each: both failed in the same way, otherwise nobody would be asked.
  const last = [...new Map(failed.map((seen) => [seen.name, seen])).values()];
  return {
    printed: last.flatMap(({ name, snippet }) => [`${name}:`, ...extractFailureLines(snippet, PRINTED).split("\n")]),
    whole: last.flatMap(({ output }) => (output === undefined ? [] : [`signalbox logs ${run} --output ${output}`])),
  };
}

const PRINTED = 400;

type SingleExamRun = {
  readonly sitting: ExamHalfRun;
  readonly seen: CommandRun;
  readonly task: string;
  readonly turn: number;
  readonly passed: boolean;
};

function createExamFact(
  place: StepPlace,
  { sitting, seen, task, turn, passed }: SingleExamRun,
): RecordBodyOf<"evidence.recorded"> {
  const { command, exitCode, ms, digest, snippet, output, notRun, tests } = seen;
  return {
    type: "evidence.recorded",
    key: place.key,
    task,
    check: sitting.check,
    phase: "after",
    round: place.scope.round,
    passed,
    tree: sitting.tree,
    halves: sitting.halves,
    command,
    exitCode,
    ms,
    digest,
    snippet,
    ...(output === undefined ? {} : { output }),
    turn,
    outcome: passed ? "passed" : "regression",
    ...(notRun === undefined ? {} : { notRun }),
    ...(tests ? { tests } : {}),
  };
}

function toFindingsField({ check }: ExamHalfRun, { findings }: ExamFindings) {
  return check === "exam-old-on-new" && findings.length > 0 ? { findings: [...findings] } : {};
}
