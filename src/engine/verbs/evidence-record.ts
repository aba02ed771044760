import type { CheckOptions } from "../../core/authoring/verbs.ts";
import { classifyRun, judgeCheck } from "../../core/checks/outcome/outcome.ts";
import type { LedgerRow } from "../../core/journal/ledger.ts";
import type { RecordBodyOf } from "../../core/journal/record.ts";
import type { StepPlace } from "../replay/step.ts";
import type { Run } from "../run.ts";
import type { JudgedCheck } from "./check-outcome.ts";
import { type CommandRun, type CommandRuns, toCheckRun } from "./check-runs.ts";

type EvidenceInput = {
  readonly tree: string;
  readonly options: CheckOptions;
  readonly before: CommandRuns;
  readonly after: CommandRuns;
  readonly judged: readonly JudgedCheck[];
  readonly own: readonly CommandRun[];
};

/**
 * Records every run together with the end of the step. Runs that can be judged become ledger rows.
 * @rule A-02 (code) Only a check that the engine ran itself is evidence; what an agent says of its work stays a claim.
 */
export function recordEvidence(run: Run, place: StepPlace, seen: EvidenceInput): void {
  const baseline = seen.options.baseline?.tree ?? "";
  for (const runs of seen.before.values()) recordRuns(run, place, { seen, runs, tree: baseline, phase: "baseline" });
  for (const runs of seen.after.values()) {
    recordRuns(run, place, { seen, runs, tree: seen.tree, phase: seen.options.phase ?? "after" });
  }
  for (const result of seen.own) recordRuns(run, place, { seen, runs: [result], tree: seen.tree, phase: "after" });
}

type RunRecords = {
  readonly seen: EvidenceInput;
  readonly runs: readonly CommandRun[];
  readonly tree: string;
  readonly phase: "baseline" | "after";
};
type RunOutcome = JudgedCheck["check"]["outcome"];

function recordRuns(run: Run, place: StepPlace, at: RunRecords): void {
  const outcome = at.phase === "after" ? judgeAfter(at) : judgeAlone(at.runs);
  for (const [index, result] of at.runs.entries()) {
    const fact = createEvidenceFact(place, at, { result, turn: index + 1, outcome });
    // A check that contradicts itself, or did not run, proves nothing, so no gate may count it.
    const counts = index === 0 && outcome !== "flaky" && (outcome !== "not-run" || at.phase === "after");
    run.recorder.record(counts ? { ...fact, rows: [toEvidenceRow(fact), ...toWorseRow(at.seen, fact)] } : fact);
  }
}

function judgeAfter({ seen, runs }: RunRecords): RunOutcome {
  const judged = seen.judged.find(({ check }) => check.name === runs[0]?.name);
  return judged?.check.outcome ?? judgeAlone(runs);
}

function judgeAlone(runs: readonly CommandRun[]): RunOutcome {
  return judgeCheck({ name: "", before: [], after: runs.map(toCheckRun) }).outcome;
}

/** Red before and worse now: rules tolerate a check that was red, so the new problem gets a row of its own. */
function toWorseRow(seen: EvidenceInput, fact: RecordBodyOf<"evidence.recorded">): LedgerRow[] {
  const before = seen.before.get(fact.check)?.[0];
  const worse = fact.outcome === "regression" || fact.outcome === "not-run";
  if (!worse || !before || classifyRun(toCheckRun(before)) === "green") return [];
  return [toEvidenceRow({ ...fact, check: `${fact.check}-worse` })];
}

type SingleRun = { readonly result: CommandRun; readonly turn: number; readonly outcome: RunOutcome };

function createEvidenceFact(
  place: StepPlace,
  at: RunRecords,
  { result, turn, outcome }: SingleRun,
): RecordBodyOf<"evidence.recorded"> {
  return {
    type: "evidence.recorded",
    key: place.key,
    task: at.seen.options.task ?? "",
    check: result.name,
    phase: at.phase,
    round: at.phase === "baseline" ? 0 : place.scope.round,
    passed: isGreenResult(at, result),
    tree: at.tree,
    command: result.command,
    ...(result.cwd === undefined ? {} : { cwd: result.cwd }),
    exitCode: result.exitCode,
    ms: result.ms,
    digest: result.digest,
    snippet: result.snippet,
    ...(result.excerpt === undefined || isRecordedBefore(at) ? {} : { excerpt: result.excerpt }),
    ...(result.output === undefined ? {} : { output: result.output }),
    turn,
    outcome,
    ...(result.notRun === undefined ? {} : { notRun: result.notRun }),
    ...(result.unasked ? { unasked: true } : {}),
    ...(result.tests ? { tests: result.tests } : {}),
    ...(result.findings ? { findings: [...result.findings] } : {}),
  };
}

/** The baseline belongs to every check of the work; its output was recorded when it ran first. */
const isRecordedBefore = ({ phase, seen }: RunRecords): boolean =>
  phase === "baseline" && seen.options.phase !== "baseline";

function isGreenResult({ seen, phase }: RunRecords, result: CommandRun): boolean {
  const before = phase === "after" ? (seen.before.get(result.name) ?? []) : [];
  const counted = before.some(({ tests }) => (tests?.total ?? 0) > 0);
  return classifyRun(toCheckRun(result), counted) === "green";
}

export function toEvidenceRow(fact: RecordBodyOf<"evidence.recorded">): LedgerRow {
  return {
    table: "anvil_checks",
    values: {
      task_id: fact.task,
      phase: fact.phase,
      check_name: fact.check,
      tool: "signalbox",
      command: fact.command,
      exit_code: fact.exitCode,
      output_snippet: fact.snippet.slice(-500),
      passed: fact.passed ? 1 : 0,
      round: fact.round,
      instance: "",
      tree: fact.tree,
    },
  };
}
