import type { ExamTrees } from "../../core/effect.ts";
import { inseparableFindings } from "../../core/evidence/exam/exam-findings.ts";
import { guardedAmong } from "../../core/evidence/guarded-path.ts";
import type { Finding } from "../../core/finding.ts";
import type { CommitOptions } from "../../core/verbs.ts";
import { forever, type Run, StepFailed } from "../run.ts";
import { type StepPlace, step } from "../step.ts";
import { rememberRecord, runsOn, runsOnBoth } from "./check-runs.ts";
import { recordEvidence } from "./evidence-record.ts";
import { compose, type ExamSeen, examine } from "./exam.ts";
import { recordExam } from "./exam-record.ts";
import { type JudgedCheck, judgedCheck } from "./judged-check.ts";

/** What the engine itself found about a tree that is to be committed. */
export type Examined = {
  /** Why it cannot be committed, whoever says so. */
  readonly refusal?: string;
  /** What evidence cannot decide: a person can. */
  readonly doubts: readonly string[];
  /** Old tests that fail on the new code, among the doubts. */
  readonly named?: readonly string[];
  /** What whoever reads the end must know; the confidence is then medium at most. */
  readonly caveats: readonly string[];
};

export type Candidate = Pick<CommitOptions, "parent" | "declared"> & { readonly tree: string; readonly branch: string };

/** Every configured command, at the top of the very tree that is to be committed, whatever the pipeline has asked for. */
export async function examined(run: Run, candidate: Candidate): Promise<Examined> {
  const { tree, declared } = candidate;
  const old = treeBefore(run, candidate);
  if (old === tree) return { refusal: "it changes nothing", doubts: [], caveats: [] };
  if (run.started.commands.length === 0) return { doubts: [], caveats: exemptions(run) };
  const outcome = await step<Examined>(run, {
    verb: "check",
    name: "interlock",
    input: { tree, old, ...(declared === undefined ? {} : { declared }) },
    work: async (place) => ({ value: await look(run, place, { tree, old, declared }) }),
    keep: (_value, place) => {
      for (const record of place.past?.evidence ?? []) rememberRecord(run, record);
    },
  });
  if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
  return outcome.value;
}

/** The tree that the commit goes on top of: this run's own earlier one, or the one that the run started from. */
function treeBefore({ state, started }: Run, { branch, parent }: Candidate): string {
  const own = state.committed.get(state.commits.get(branch) ?? parent ?? "");
  return own ?? started.base.tree;
}

function exemptions({ state }: Run): readonly string[] {
  const { by, reason } = state.exemption ?? { by: "nobody", reason: "none was asked for" };
  return [`no command of the project has judged it: ${reason} (said by ${by})`];
}

type Sides = { readonly tree: string; readonly old: string; readonly declared: CommitOptions["declared"] };

async function look(run: Run, place: StepPlace, { tree, old, declared }: Sides): Promise<Examined> {
  const { commands } = run.started;
  const { before, after } = await runsOnBoth(run, place, { baseline: old, tree, commands });
  const judged = commands.map(({ name }) => judgedCheck(name, before.get(name), after.get(name)));
  // All of it in one go at the end: what is recorded in between would be recorded again by the next engine.
  const record = () =>
    recordEvidence(run, place, { tree, options: { baseline: { tree: old } }, before, after, judged, own: [] });
  const seen = verdictOn(judged);
  if (seen.refusal !== undefined) {
    record();
    return seen;
  }
  // By the exam that no one of this run has had a hand in, however many commits it has made before this one.
  const base = run.started.base.tree;
  const first = base === old ? before : await runsOn(run, place, { tree: base, commands, label: "base" });
  const trees = await compose(run, place, { old: base, tree, before: first, after });
  const guarded = [...seen.doubts, ...guardDoubts(run, trees)];
  const needsRed = declared !== undefined;
  const exam = await examine(run, place, { old: base, tree, trees, before: first, after, needsRed });
  if (run.over) return forever();
  record();
  if (!exam) return { ...seen, doubts: guarded };
  recordExam(run, place, { exam, task: "", passed: exam.verdict === "clean" });
  const doubts = [...guarded, ...examDoubts(run, exam), ...proofDoubts(exam, declared)];
  const named = exam.named.filter((name) => !run.state.accepted.has(name));
  return {
    ...seen,
    doubts: [...new Set(doubts)],
    ...(named.length > 0 ? { named } : {}),
    caveats: [...seen.caveats, ...exam.dropped],
  };
}

function guardDoubts({ started }: Run, { code, exam }: ExamTrees): readonly string[] {
  const paths = [...new Set([...code, ...exam])];
  return guardedAmong(paths, started.protectedPaths ?? []).map(
    (path) => `${path} was changed: it decides about checks elsewhere, or about these runs.`,
  );
}

function verdictOn(judged: readonly JudgedCheck[]): Examined {
  const of = (...outcomes: readonly string[]) => judged.filter(({ check }) => outcomes.includes(check.outcome));
  const told = (picked: readonly JudgedCheck[]) =>
    picked.flatMap(({ findings }) => findings.map((each) => each.message));
  const refused = told(of("failed", "regression", "not-run"));
  if (refused.length > 0) return { refusal: refused.join("; "), doubts: [], caveats: [] };
  const unproven = of("red-before", "flaky").filter(({ check }) => !check.proves);
  const empty = judged.filter(({ check }) => check.passed && !check.proves).map(({ check }) => check.name);
  const nothing = judged.some(({ check }) => check.proves) || empty.length === 0;
  return {
    doubts: [
      ...told(unproven),
      ...(nothing ? [] : [`No command has shown anything: ${empty.join(", ")} ran no test.`]),
    ],
    caveats: told(of("red-before").filter(({ check }) => check.proves)),
  };
}

/** No verdict is never as good as passed; what a person let go on the way stays let go. */
function examDoubts({ state }: Run, exam: ExamSeen): readonly string[] {
  const { verdict, named, findings, trees } = exam;
  const open = named.some((name) => !state.accepted.has(name));
  const inseparable = inseparableFindings(trees.inseparable).map(textOf);
  const unsure = [...inseparable, ...waverDoubts(state, exam), ...halfDoubts(state, exam)];
  if (verdict === "clean" || (verdict === "named" && !open)) return unsure;
  // Where the exam is as it was and names nothing, the commands themselves have said what there is to say.
  if (verdict === "none" && trees.exam.length === 0 && !exam.byName) return unsure;
  return [...findings.filter(({ severity }) => severity !== "minor").map(textOf), ...unsure];
}

function waverDoubts({ accepted }: Run["state"], { wavering, oldPackages }: ExamSeen): readonly string[] {
  const open = wavering.filter((name) => !accepted.has(name));
  const listed = open.slice(0, SHOWN).map((name) => `"${name}"`);
  return [
    ...(open.length > 0 ? [`Old tests fail on the new code once and pass there once: ${listed.join(", ")}.`] : []),
    ...(oldPackages ? ["The old tests could be sat only with the packages of before the change."] : []),
  ];
}

/** Which half a file belongs to decides here, and nobody can say for sure. */
function halfDoubts({ accepted }: Run["state"], { doubtful }: ExamSeen): readonly string[] {
  return doubtful.flatMap(({ paths, named }) => {
    const open = named.filter((name) => !accepted.has(name)).slice(0, SHOWN);
    const files = paths.slice(0, SHOWN).join(", ");
    const listed = open.map((name) => `"${name}"`).join(", ");
    return open.length === 0
      ? []
      : [`Old tests pass or fail by whether ${files} is taken for tests or for code: ${listed}.`];
  });
}

const SHOWN = 5;

const textOf = ({ message }: Finding): string => message;

/** A fix or a feature that no test is red without has shown nothing. */
function proofDoubts({ red, verdict }: ExamSeen, declared: CommitOptions["declared"]): readonly string[] {
  if (declared === undefined || red > 0 || verdict === "none") return [];
  return [`It was declared as a ${declared}, and no test is red without it.`];
}
