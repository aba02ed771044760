import type { Finding } from "../../../core/authoring/finding.ts";
import type { CommitOptions } from "../../../core/authoring/verbs.ts";
import { createInseparableFindings, createReplacedFindings } from "../../../core/checks/exam/exam-findings.ts";
import { isProse } from "../../../core/checks/exam/expectations.ts";
import { isInstruction } from "../../../core/checks/guard/agent-instructions.ts";
import { selectGuardedPaths } from "../../../core/checks/guard/guarded-path.ts";
import { formatUntested, hasTests } from "../../../core/checks/outcome/preflight-notes.ts";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import { runStep, type StepPlace } from "../../replay/step.ts";
import { createNever, type Run, StepFailed } from "../../run.ts";
import { type JudgedCheck, judgeRuns } from "../check-outcome.ts";
import { type CommandRuns, runOnBothTrees, runOnTree, storeRecordedRun } from "../check-runs.ts";
import { recordEvidence } from "../evidence-record.ts";
import { composeExamTrees, crossExamineChange, type ExamFindings } from "./cross-examine-change.ts";
import { type DeclaredWork, listDeclaredFindings } from "./declared-work.ts";
import { formatRelaxedFindings } from "./exam-check-settings.ts";
import { getPrintedTests, type PrintedTests, recordExam } from "./exam-record.ts";
import { inspectLostTests, type LostTests, listExcuses } from "./lost-tests.ts";
import { formatSurroundingsFinding } from "./surroundings-failures.ts";

/** Findings of the engine itself about a tree that is to be committed. */
export type Examination = {
  /** The reason why it cannot be committed at all. */
  readonly refusal?: string;
  /** Findings that evidence cannot decide: a person can. */
  readonly doubts: readonly string[];
  /** Findings that the author of the work can settle with a test that is red without it. */
  readonly unproven?: readonly string[];
  /** Findings that the author can settle by restoring a red test and fixing the code. */
  readonly edited?: readonly string[];
  /** Old tests that fail on the new code, among the findings. */
  readonly named?: readonly string[];
  /** Old tests that fail as announced: no findings, but shown to the person who decides. */
  readonly announced?: readonly string[];
  /** Tests that an approval would excuse, and how the change edits the tests. */
  readonly excuses?: readonly string[];
  readonly diff?: readonly string[];
  /** Files that were restored for the old tests. */
  readonly back?: readonly string[];
  /** Output of tests without names. */
  readonly printed?: PrintedTests;
  /** How a person can settle for good which half a file belongs to. */
  readonly settled?: string;
  /** Caveats for readers of the end; the confidence is then medium at most. */
  readonly caveats: readonly string[];
  /** The files that the commit would change. */
  readonly changed?: readonly string[];
};

export type CommitCandidate = Pick<CommitOptions, "parent"> &
  DeclaredWork & { readonly tree: string; readonly branch: string };

/**
 * Runs every configured command at the top of the very tree that is to be committed, whatever the pipeline has checked.
 * @rule A-24 (gate) A tree is committed only if a configured command was seen green on it, or a person gave the reason
 *   for none; the end of the run says it.
 * @rule A-30 (gate) Work that changed nothing is not done, whatever it lists.
 */
export async function examineCandidate(run: Run, candidate: CommitCandidate): Promise<Examination> {
  const { tree, declared, assumed } = candidate;
  const kind = declared === undefined ? {} : { declared, ...(assumed ? { assumed } : {}) };
  const old = getTreeBelow(run, candidate);
  if (old === tree) return { refusal: "it changes nothing", doubts: [], caveats: [] };
  if (run.started.commands.length === 0) return { doubts: [], caveats: listExemptions(run) };
  const outcome = await runStep<Examination>(run, {
    verb: "check",
    name: "interlock",
    input: { tree, old, ...kind },
    work: async (place) => ({ value: await examineTrees(run, place, { tree, old, kind }) }),
    keep: (_value, place) => {
      for (const record of place.past?.evidence ?? []) storeRecordedRun(run, record);
    },
  });
  if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
  return outcome.value;
}

/** Returns the tree below the commit: this run's own earlier one, or the one that the run started from. */
function getTreeBelow({ state, started }: Run, { branch, parent }: CommitCandidate): string {
  const own = state.committed.get(state.commits.get(branch) ?? parent ?? "");
  return own ?? started.base.tree;
}

function listExemptions({ state }: Run): readonly string[] {
  const { by, reason } = state.exemption ?? { by: "nobody", reason: "none was asked for" };
  return [`no command of the project has judged it: ${reason} (stated by ${by})`];
}

type TreePair = { readonly tree: string; readonly old: string; readonly kind: DeclaredWork };

/**
 * @rule A-25 (policy) Every configured command runs at the top of the tree that is committed, whatever a plan or a
 *   pipeline chose.
 */
async function examineTrees(run: Run, place: StepPlace, { tree, old, kind }: TreePair): Promise<Examination> {
  const { commands } = run.started;
  const { before, after } = await runOnBothTrees(run, place, { baseline: old, tree, commands });
  const judged = commands.map(({ name }) => judgeRuns(name, before.get(name), after.get(name)));
  // Recorded all at once at the end: partial records would be repeated by the next engine.
  const record = (then = before) =>
    recordEvidence(run, place, { tree, options: { baseline: { tree: old } }, before: then, after, judged, own: [] });
  const seen = judgeOutcomes(judged, after);
  if (seen.refusal !== undefined) {
    record();
    return seen;
  }
  // Examines against the tests of the start, which nobody in this run could edit, however many commits it made before.
  const base = run.started.base.tree;
  const first = base === old ? before : await runOnTree(run, place, { tree: base, commands, label: "base" });
  const trees = await composeExamTrees(run, place, { old: base, tree, before: first, after });
  const guarded = [...seen.doubts, ...listGuardedFindings(run, trees)];
  const isTested = [...before.values(), ...after.values()].flat().some(hasTests);
  // For work of unknown kind, a project whose checks report no test can show nothing; the end says so as a caveat.
  const isExempt = kind.assumed === true && !isTested && !listTouchedPaths(trees).every(isProse);
  const work = isExempt ? {} : kind;
  const needsRed = work.declared !== undefined;
  const exam = await crossExamineChange(run, place, {
    old: base,
    tree,
    trees,
    before: first,
    after,
    needsRed: needsRed && base === old,
  });
  // Examines also against the commit below, which may have tests that an earlier part of this run added.
  const below =
    base === old
      ? undefined
      : await crossExamineChange(run, place, { old, tree, before, after, needsRed, label: "below" });
  const sat = below ?? exam;
  const lost = sat && (await inspectLostTests(run, place, { exam: sat, old, tree }));
  if (run.over) return createNever();
  record(base === old ? exam?.before : undefined);
  const known = { ...seen, doubts: guarded, changed: listTouchedPaths(below?.trees ?? trees) };
  if (!exam) return known;
  if (base !== old && exam.before !== first) recordBase(run, place, { tree, base, before: exam.before });
  return applyExams(run, place, { seen: known, exams: below ? [exam, below] : [exam], lost, kind: work });
}

const listTouchedPaths = ({ code, exam }: ExamTrees): readonly string[] => [...new Set([...code, ...exam])].sort();

type ExamVerdicts = {
  readonly seen: Examination;
  /**
   * Examined against the tests that the run started from, and against those of an earlier commit of this run below it.
   */
  readonly exams: readonly ExamFindings[];
  readonly lost: LostTests | undefined;
  readonly kind: DeclaredWork;
};

function applyExams(run: Run, place: StepPlace, { seen, exams, lost, kind }: ExamVerdicts): Examination {
  for (const exam of exams) recordExam(run, place, { exam, task: "", passed: exam.verdict === "clean" });
  const doubts = exams.flatMap((exam) => listExamFindings(run, exam));
  // Tests that an earlier part of this run added prove nothing for this one.
  const proof = exams.slice(-1).flatMap((exam) => listDeclaredFindings(exam, kind));
  const open = (exam: ExamFindings) => exam.named.filter((name) => !run.state.accepted.has(name));
  const named = [...new Set(exams.flatMap(open))];
  const printed = exams.flatMap((exam) => getPrintedTests(run.id, { ...exam, named: open(exam) }) ?? []).at(0);
  const sat = exams.at(-1);
  const announced = [...new Set(exams.flatMap((exam) => exam.announced))];
  const edited = named.length > 0 && exams.every((exam) => open(exam).every((name) => exam.edited.includes(name)));
  const restorable = edited ? exams.flatMap(listEditedTests) : [];
  return {
    ...seen,
    doubts: [...new Set([...seen.doubts, ...doubts, ...proof, ...(lost?.unreplaced ?? [])])],
    ...(announced.length > 0 ? { announced } : {}),
    ...(sat ? listExcuses(sat, { named, lost }) : {}),
    ...(kind.declared === undefined ? {} : { unproven: proof }),
    ...(restorable.length > 0 ? { edited: restorable } : {}),
    ...(named.length > 0 ? { named, back: [...new Set(exams.flatMap(({ trees }) => trees.exam))] } : {}),
    ...(printed ? { printed } : {}),
    ...(exams.some((exam) => listHalfFindings(run.state, exam).length > 0) ? { settled: SETTLES } : {}),
    caveats: [...new Set([...seen.caveats, ...(lost?.replaced ?? exams.flatMap(({ dropped }) => dropped))])],
  };
}

type BaseRuns = { readonly tree: string; readonly base: string; readonly before: CommandRuns };

/** Records repeated runs on the tree that the run started from, if the commit goes on top of another one. */
function recordBase(run: Run, place: StepPlace, { tree, base, before }: BaseRuns): void {
  const nothing = { after: new Map(), judged: [], own: [] };
  recordEvidence(run, place, { tree, options: { baseline: { tree: base } }, before, ...nothing });
}

function listGuardedFindings({ started }: Run, trees: ExamTrees): readonly string[] {
  return selectGuardedPaths(listTouchedPaths(trees), started.protectedPaths ?? []).map((path) =>
    isInstruction(path)
      ? `${path} was changed: agents read instructions from it, also later ones in this run.`
      : `${path} was changed: it controls checks elsewhere, or these runs.`,
  );
}

function judgeOutcomes(judged: readonly JudgedCheck[], after: CommandRuns): Examination {
  const selectOutcomes = (...outcomes: readonly string[]) =>
    judged.filter(({ check }) => outcomes.includes(check.outcome));
  const told = (picked: readonly JudgedCheck[]) =>
    picked.flatMap(({ findings }) => findings.map((each) => each.message));
  const refused = told(selectOutcomes("failed", "regression", "not-run"));
  if (refused.length > 0) return { refusal: refused.join("; "), doubts: [], caveats: [] };
  const unproven = selectOutcomes("red-before", "flaky").filter(({ check }) => !check.proves);
  const empty = judged.filter(({ check }) => check.passed && !check.proves).map(({ check }) => check.name);
  const nothing = judged.some(({ check }) => check.proves) || empty.length === 0;
  const doubts = [
    ...told(unproven),
    ...(nothing ? [] : [`No command proves anything: ${empty.join(", ")} ran no test.`]),
  ];
  // A person who accepts a finding already knows that nothing was shown.
  const unseen = doubts.length > 0 ? [] : listUntested(judged, after);
  return { doubts, caveats: [...told(selectOutcomes("red-before").filter(({ check }) => check.proves)), ...unseen] };
}

/** Returns a caveat if no test ran: the build works, but its behaviour is untested. */
function listUntested(judged: readonly JudgedCheck[], after: CommandRuns): readonly string[] {
  const seen = [...after.values()].flat();
  return seen.some(hasTests) ? [] : [formatUntested(judged.map(({ check }) => check.name))];
}

/** A missing verdict never counts as passed; tests that a person accepted stay accepted. */
function listExamFindings({ state }: Run, exam: ExamFindings): readonly string[] {
  const { verdict, named, findings, trees } = exam;
  const open = named.some((name) => !state.accepted.has(name));
  const inseparable = [...createInseparableFindings(trees.inseparable), ...createReplacedFindings(trees.replaced)].map(
    getMessage,
  );
  const relaxed = exam.relaxed ? formatRelaxedFindings(exam.relaxed) : [];
  const unsure = [...inseparable, ...relaxed, ...listFlakyFindings(state, exam), ...listHalfFindings(state, exam)];
  if (verdict === "clean" || (verdict === "named" && !open)) return unsure;
  // If the tests are unchanged and have no names, the commands themselves have said everything.
  if (verdict === "none" && trees.exam.length === 0 && !exam.byName) return unsure;
  return [...findings.filter(({ severity }) => severity !== "minor").map(getMessage), ...unsure];
}

/** Lists the exam's findings about red tests that only their edits turned green. */
function listEditedTests({ verdict, findings }: ExamFindings): readonly string[] {
  return verdict === "named" ? findings.filter(({ severity }) => severity !== "minor").map(getMessage) : [];
}

function listFlakyFindings(
  { accepted }: Run["state"],
  { wavering, unsteady, oldPackages }: ExamFindings,
): readonly string[] {
  const told = (names: readonly string[], says: string) => {
    const open = names.filter((name) => !accepted.has(name)).slice(0, SHOWN);
    return open.length > 0 ? [`${says}: ${open.map((name) => `"${name}"`).join(", ")}.`] : [];
  };
  return [
    ...told(wavering, "Old tests fail on the new code once and pass there once"),
    ...told(unsteady, "Old tests do not pass on the new code, and pass only now and then on the old code"),
    ...(oldPackages ? ["The old tests could run only with the packages from before the change."] : []),
  ];
}

/** Findings that depend on which half a file belongs to, which nobody can say for sure. */
function listHalfFindings({ accepted }: Run["state"], { doubtful, around, trees }: ExamFindings): readonly string[] {
  const mixed = doubtful.flatMap(({ paths, was, named }) => {
    const open = named.filter((name) => !accepted.has(name)).slice(0, SHOWN);
    const listed = open.map((name) => `"${name}"`).join(", ");
    if (open.length === 0) return [];
    return was
      ? [`Old tests fail with ${formatPaths(paths)} as it is now and ${formatPaths(was)} as it was: ${listed}.`]
      : [`Old tests pass or fail depending on whether ${formatPaths(paths)} counts as tests or as code: ${listed}.`];
  });
  const surrounded = around.flatMap((each) => {
    const open = each.named.filter((name) => !accepted.has(name)).slice(0, SHOWN);
    return open.length > 0 ? [formatSurroundingsFinding(each, open.map((name) => `"${name}"`).join(", "))] : [];
  });
  const { tangled = [] } = trees;
  const many = `Any of ${tangled.length} files may belong to the tests or to the code, too many to try: ${formatPaths(tangled)}.`;
  return [...mixed, ...surrounded, ...(tangled.length > 0 ? [many] : [])];
}

function formatPaths(paths: readonly string[]): string {
  return paths.slice(0, SHOWN).join(", ");
}

const SHOWN = 5;
const SETTLES = "set `exam` in .signalbox/config.yaml to define which files are tests and which are code";

const getMessage = ({ message }: Finding): string => message;
