import type { Finding } from "../../core/authoring/finding.ts";
import type { CheckOptions, Evidence, Verbs } from "../../core/authoring/verbs.ts";
import type { TestChange } from "../../core/checks/outcome/fewer-tests.ts";
import type { TestCounts } from "../../core/checks/reports/test-report.ts";
import type { CheckedCommand } from "../../core/journal/effect.ts";
import { runStep, type StepPlace } from "../replay/step.ts";
import { createNever, type Run, StepFailed } from "../run.ts";
import { type JudgedCheck, judgeRuns, toOwnCheck } from "./check-outcome.ts";
import { type CommandRun, type CommandRuns, runOnBothTrees, storeRecordedRun } from "./check-runs.ts";
import { recordEvidence } from "./evidence-record.ts";
import { listDroppedFindings } from "./facts/dropped-files.ts";
import { recordExam } from "./interlock/exam-record.ts";
import { examineSuspicion, isSettled, toExamCheck } from "./interlock/examine-suspicion.ts";
import { askForRepeat, FAILED, listSeenCommands } from "./interlock/repeated-checks.ts";

/** check(): the engine runs the configured commands itself, on a tree that it knows. */
export function createCheckVerbs(run: Run): Pick<Verbs<unknown>, "check"> {
  return {
    check: (tree, { recordedAs, ...rest } = {}) => {
      // Recorded as `phase`, the first name of this option, so that both names give the same input.
      const options = recordedAs === undefined ? rest : { ...rest, phase: recordedAs };
      return runCheck(run, { name: options.phase === "baseline" ? "baseline" : "check", tree: tree.tree, options });
    },
  };
}

type CheckOrder = { readonly tree: string; readonly options: CheckOptions };

/** Checks a tree in one recorded step. Commands that have run on it are not run again. */
export async function runCheck(
  run: Run,
  { name, tree, options }: CheckOrder & { readonly name: string },
): Promise<Evidence> {
  const outcome = await runStep<Evidence>(run, {
    verb: "check",
    name,
    input: { tree, options },
    work: async (place) => ({ value: await gatherEvidence(run, place, { tree, options }) }),
    keep: (value, place) => {
      for (const record of place.past?.evidence ?? []) storeRecordedRun(run, record);
      storeExamResult(run, value);
      if (value.again?.ran === false) run.state.kept.add(value.tree);
    },
  });
  if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
  return outcome.value;
}

async function gatherEvidence(run: Run, place: StepPlace, { tree, options }: CheckOrder): Promise<Evidence> {
  const configured = run.started.commands;
  const wanted = options.commands ?? configured.map((command) => command.name);
  const where = options.cwd === undefined ? {} : { cwd: options.cwd };
  const commands = configured.filter(({ name }) => wanted.includes(name)).map((command) => ({ ...command, ...where }));
  const known = listSeenCommands(run, { tree, commands });
  const seenBoth = await runOnBothTrees(run, place, { baseline: options.baseline?.tree, tree, commands });
  const { before } = seenBoth;
  const { after, again } = await askForRepeat(run, place, { tree, commands, known, ...seenBoth });
  if (run.over) return createNever();
  const looked = options.baseline
    ? await runInspection(run, place, { tree, options, testCounts: compareCounts(before, after) })
    : [];
  const judged = commands.map(({ name }) => judgeRuns(name, before.get(name), after.get(name)));
  const refused = judged.some(({ check }) => FAILED.has(check.outcome));
  // A step asks at most one question.
  const asks = !refused && again === undefined;
  const settled = await examineSuspicion(run, place, { tree, options, before, after, own: looked, asks });
  if (run.over) return createNever();
  const { own, exam } = settled;
  recordEvidence(run, place, { tree, options, before: settled.before ?? before, after, judged, own });
  if (exam) recordExam(run, place, { exam, task: options.task ?? "", passed: isSettled(exam) });
  const notRun = wanted.filter((name) => !commands.some((command) => command.name === name));
  const seen = summarizeChecks(tree, { judged, own: [...own.map(toOwnCheck), ...toExamCheck(settled)], notRun });
  return {
    ...seen,
    ...(seen.passed ? {} : { findings: [...seen.findings, ...listDroppedFindings(run, tree)] }),
    ...(again ? { again } : {}),
    ...(exam ? { exam: { named: exam.named, ...(exam.by === undefined ? {} : { by: exam.by }) } } : {}),
  };
}

/** Restores failing tests and those that a person accepted, so that a retry is not asked about them again. */
function storeExamResult({ state }: Run, { exam }: Evidence): void {
  for (const name of exam?.named ?? []) {
    state.named.add(name);
    if (exam?.by === undefined) continue;
    state.accepted.add(name);
    state.caveats.add(`the old form of the test "${name}" fails on the new code (accepted by ${exam.by})`);
  }
}

function compareCounts(before: CommandRuns, after: CommandRuns): readonly TestChange[] {
  return [...after].map(([name, runs]) => ({
    name,
    before: readCounts(before.get(name)),
    after: readCounts(runs),
  }));
}

function readCounts(runs: readonly CommandRun[] = []): TestChange["after"] {
  const { total, passed, failed, skipped, source, uncollected } = runs.at(-1)?.tests ?? {};
  if (total === undefined || passed === undefined || failed === undefined || skipped === undefined) return undefined;
  // The source was written by a reader of reports.
  const counts = { total, passed, failed, skipped, source: source as TestCounts["source"] };
  return uncollected === undefined ? counts : { ...counts, uncollected };
}

async function runInspection(
  run: Run,
  place: StepPlace,
  { tree, options, testCounts }: CheckOrder & { readonly testCounts: readonly TestChange[] },
): Promise<readonly CommandRun[]> {
  await run.recorder.durable();
  const results: readonly CheckedCommand[] = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@inspect`,
    run: run.id,
    kind: "check",
    request: {
      tree,
      commands: [],
      inspect: {
        baseline: options.baseline?.tree ?? tree,
        ...(options.declared ? { declared: options.declared } : {}),
        protectedPaths: run.started.protectedPaths ?? [],
        testCounts,
      },
    },
  });
  if (run.over) return createNever();
  // The engine's own checks count no tests.
  return results.map(({ tests: _tests, ...result }) => result);
}

type CheckSummary = {
  readonly judged: readonly JudgedCheck[];
  readonly own: readonly JudgedCheck[];
  readonly notRun: readonly string[];
};

function summarizeChecks(tree: string, { judged, own, notRun }: CheckSummary): Evidence {
  const all = [...judged, ...own];
  const checks = all.map(({ check }) => check);
  const findings = all.flatMap((each) => each.findings.map((finding) => ({ finding, outcome: each.check.outcome })));
  const isTamper = ({ finding }: { finding: Finding }) => finding.by === "tamper";
  const getFindings = (picked: typeof findings): readonly Finding[] => picked.map(({ finding }) => finding);
  return {
    tree,
    passed: isShown(judged, own) && checks.every(({ outcome }) => !FAILED.has(outcome)),
    checks,
    regressions: getFindings(findings.filter((each) => each.outcome === "regression" && !isTamper(each))),
    tamper: deduplicateFindings(getFindings(findings.filter(isTamper))),
    findings: getFindings(findings.filter((each) => each.outcome !== "regression" && !isTamper(each))),
    notRun,
  };
}

/**
 * Tells whether any command has passed or is as red as before. The engine's own checks never replace those of the
 * project.
 */
function isShown(judged: readonly JudgedCheck[], own: readonly JudgedCheck[]): boolean {
  const asked = judged.length > 0 ? judged : own;
  return asked.some(({ check }) => check.outcome === "passed" || check.outcome === "red-before");
}

/** Merges equal findings: both the comparison and the inspection notice missing tests. */
function deduplicateFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.message, finding])).values()];
}
