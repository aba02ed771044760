import type { FactOf } from "../../core/record.ts";
import type { Run } from "../run.ts";
import type { StepPlace } from "../step.ts";
import type { SeenRun } from "./check-runs.ts";
import { rowOf } from "./evidence-record.ts";
import type { ExamSeen, Sitting } from "./exam.ts";

type Examined = { readonly exam: ExamSeen; readonly task: string; readonly passed: boolean };

/** Both sittings, with the trees of both halves: whoever verifies the evidence can compose them again. */
export function recordExam(run: Run, place: StepPlace, { exam, task, passed }: Examined): void {
  for (const sitting of exam.sittings) {
    const passes = sitting.check === "exam-new-on-old" || passed;
    for (const [at, seen] of sitting.runs.entries()) {
      const turn = sitting.runs.slice(0, at + 1).filter(({ command }) => command === seen.command).length;
      const fact = factOf(place, { sitting, seen, task, turn, passed: passes });
      // Only what stands against the change is a row: an exam that was passed adds nothing to what a gate counts.
      const rows = at === 0 && !passes ? { rows: [rowOf(fact)] } : {};
      run.recorder.record({ ...fact, ...findingsOf(sitting, exam), ...rows });
    }
  }
}

/** `3 old tests fail`: what a question about them begins with. */
export function countOfTests(names: readonly string[]): string {
  return names.length === 1 ? "1 old test fails" : `${names.length} old tests fail`;
}

/** A sitting as a person reads it who is asked before it is recorded. */
export function seenLines({ check, tree, runs }: Sitting): readonly string[] {
  return runs.map(({ command, exitCode, tests }) => {
    const ended = exitCode === null ? "no exit" : `exit ${exitCode}`;
    const counted = tests ? `, ${tests.passed} of ${tests.total} tests passed` : "";
    return `${check}: ${command}: ${ended}${counted}, on tree ${tree.slice(0, 7)}`;
  });
}

type One = {
  readonly sitting: Sitting;
  readonly seen: SeenRun;
  readonly task: string;
  readonly turn: number;
  readonly passed: boolean;
};

function factOf(place: StepPlace, { sitting, seen, task, turn, passed }: One): FactOf<"evidence.recorded"> {
  const { command, exitCode, ms, digest, snippet, notRun, tests } = seen;
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
    turn,
    outcome: passed ? "passed" : "regression",
    ...(notRun === undefined ? {} : { notRun }),
    ...(tests ? { tests } : {}),
  };
}

function findingsOf({ check }: Sitting, { findings }: ExamSeen) {
  return check === "exam-old-on-new" && findings.length > 0 ? { findings: [...findings] } : {};
}
