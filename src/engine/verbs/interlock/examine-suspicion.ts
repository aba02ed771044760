import type { Finding } from "../../../core/authoring/finding.ts";
import type { CheckOptions, Evidence } from "../../../core/authoring/verbs.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import { askPerson } from "../ask.ts";
import type { JudgedCheck } from "../check-outcome.ts";
import type { CommandRun, CommandRuns } from "../check-runs.ts";
import { crossExamineChange, type ExamFindings } from "./cross-examine-change.ts";
import { formatExamRun, formatFailingTests, getPrintedTests } from "./exam-record.ts";
import { type Excuses, inspectLostTests, listExcuses } from "./lost-tests.ts";

type SuspicionInput = {
  readonly tree: string;
  readonly options: CheckOptions;
  readonly before: CommandRuns;
  readonly after: CommandRuns;
  /** True if a person may be asked: not if a command is red by the work or did not run. */
  readonly asks: boolean;
  /** The engine's own checks of the change. */
  readonly own: readonly CommandRun[];
};

export type SuspicionResult = {
  /** The engine's own checks, with the findings that the exam has decided instead. */
  readonly own: readonly CommandRun[];
  /** All runs on the baseline, if it was examined. */
  readonly before?: CommandRuns;
  readonly exam?: ExamFindings & Pick<NonNullable<Evidence["exam"]>, "by">;
};

/**
 * Examines a change that seems to make its tests easier: the old tests decide, and the findings explain. If the exam
 * cannot run, the findings stand.
 */
export async function examineSuspicion(run: Run, place: StepPlace, work: SuspicionInput): Promise<SuspicionResult> {
  const { own, options, tree, before, after } = work;
  const old = options.baseline?.tree;
  const suspected = own.flatMap((each) => each.suspected ?? []);
  if (old === undefined || suspected.length === 0 || before.size === 0) return { own };
  const exam = await crossExamineChange(run, place, { old, tree, before, after });
  if (!exam) return { own };
  if (exam.verdict === "none") return { own, before: exam.before };
  const open = exam.named.filter((name) => !run.state.accepted.has(name));
  const cleared = own.map((each) => (each.suspected ? toExplanation(each, open.length === 0) : each));
  if (open.length === 0) return { own: cleared, before: exam.before, exam: { ...exam, named: [] } };
  const isBack = open.every((name) => run.state.named.has(name));
  // If the commands themselves count against the tree, no answer helps it: the work goes back.
  if (!work.asks || (!isBack && options.asks !== "at once")) return { own: cleared, before: exam.before, exam };
  const lost = await inspectLostTests(run, place, { exam, old, tree });
  const by = await askIntended(run, place, {
    exam,
    suspected,
    excuses: listExcuses(exam, { named: exam.named, lost }),
  });
  return { own: cleared, before: exam.before, exam: by === undefined ? exam : { ...exam, by } };
}

/** Turns findings that the exam has decided into explanations that no longer count. */
function toExplanation(result: CommandRun, passes: boolean): CommandRun {
  const { suspected = [], findings = [], ...rest } = result;
  const deciding = findings.filter(({ message }) => suspected.every((each) => each.message !== message));
  const told = suspected.map((finding): Finding => ({ ...finding, severity: "minor", by: "tamper explains" }));
  const says = passes ? "the old tests pass on the new code" : "the old tests were run on the new code";
  const snippet = deciding.length > 0 ? rest.snippet : `${says}; ${told.map(({ message }) => message).join("; ")}`;
  return {
    ...rest,
    exitCode: deciding.length > 0 ? 1 : 0,
    snippet: snippet.slice(0, SNIPPET),
    findings: [...deciding, ...told],
  };
}

type AcceptedQuestion = {
  readonly exam: ExamFindings;
  readonly suspected: readonly Finding[];
  readonly excuses: Excuses | undefined;
};

async function askIntended(
  run: Run,
  place: StepPlace,
  { exam, suspected, excuses }: AcceptedQuestion,
): Promise<string | undefined> {
  const { choice, by, note } = await askPerson(run, place, {
    title: `${formatFailingTests({ named: exam.named, back: exam.trees.exam })}, and it was not announced: is that intended?`,
    show: {
      found: exam.findings.map(({ message }) => message),
      ...getPrintedTests(run.id, exam),
      explained: suspected.map(({ message }) => message),
      tests: exam.named,
      ...excuses,
      // The step has not ended, so none of this is part of the evidence yet.
      seen: exam.sittings.flatMap(formatExamRun),
    },
    choices: ["meant", "not meant"],
    leads: { meant: "the old tests no longer count against the change", "not meant": "the change is not committed" },
    auto: "never",
  });
  return choice === "meant" ? `${by}${note === undefined ? "" : `: ${note}`}` : undefined;
}

/** True if no old test counts against the change, or a person accepted it. */
export function isSettled({ named, by }: NonNullable<SuspicionResult["exam"]>): boolean {
  return named.length === 0 || by !== undefined;
}

/** Returns the exam as a check among the others. */
export function toExamCheck({ exam }: SuspicionResult): readonly JudgedCheck[] {
  if (!exam) return [];
  const passed = isSettled(exam);
  const snippet = exam.findings.map(({ message }) => message).join("; ");
  const check = { name: "exam-old-on-new", passed, exitCode: passed ? 0 : 1, snippet: snippet.slice(0, SNIPPET) };
  const findings = passed
    ? exam.findings.map((finding): Finding => ({ ...finding, severity: "minor" }))
    : exam.findings;
  return [{ check: { ...check, outcome: passed ? "passed" : "regression" }, findings }];
}

const SNIPPET = 500;
