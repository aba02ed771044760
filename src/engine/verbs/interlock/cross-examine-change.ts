import type { Finding } from "../../../core/authoring/finding.ts";
import { isTestCommand } from "../../../core/checks/detect/test-command.ts";
import { isTextCheck } from "../../../core/checks/detect/text-check.ts";
import { type CrossExamination, compareExamRuns, type ExamRun } from "../../../core/checks/exam/cross-examine.ts";
import {
  createDroppedFindings,
  createExamFindings,
  createInseparableFindings,
  createReplacedFindings,
} from "../../../core/checks/exam/exam-findings.ts";
import { comparePlainRuns, createPlainFindings } from "../../../core/checks/exam/plain-command.ts";
import { getTestFile } from "../../../core/checks/exam/test-name.ts";
import type { TestFates } from "../../../core/checks/tamper/lost-tests.ts";
import type { Command, ExamHalves, ExamTrees } from "../../../core/journal/effect.ts";
import type { StepPlace } from "../../replay/step.ts";
import { createNever, type Run } from "../../run.ts";
import { type CommandRun, type CommandRuns, loadTestNames, runOnTree } from "../check-runs.ts";
import { type DoubtfulFailure, runDoubtfulTrees } from "./doubtful-failures.ts";
import { type RelaxedChecks, runWithOldSettings } from "./exam-check-settings.ts";
import { runWithSurroundings, type SurroundingsFailure } from "./surroundings-failures.ts";

/** The result of cross-examining a change. */
export type ExamFindings = {
  readonly verdict: CrossExamination["verdict"];
  /** Tests that passed on the old code, do not pass on the new one, and were not announced. */
  readonly named: readonly string[];
  /** The named tests that failed on the old code and stopped failing only because the change edited them. */
  readonly edited: readonly string[];
  /** Tests that do not pass on the new code either, as an approved plan announced. */
  readonly announced: readonly string[];
  readonly findings: readonly Finding[];
  /** True if the old tests have names on the old code. */
  readonly byName: boolean;
  /** Old tests that fail once and pass once on the new code. */
  readonly wavering: readonly string[];
  /** Old tests that do so on the old code, and never pass on the new one. */
  readonly unsteady: readonly string[];
  /** True if the old tests ran only with the old packages. */
  readonly oldPackages: boolean;
  /** Descriptions of tests that the change removes although they still pass. */
  readonly dropped: readonly string[];
  readonly fates: TestFates;
  /** How many tests passed on the old code. */
  readonly passedBefore: number;
  /** Old tests that fail if these files belong to the other half. */
  readonly doubtful: readonly DoubtfulFailure[];
  /** Old tests that fail because of files around them. */
  readonly around: readonly SurroundingsFailure[];
  /** Text checks that pass only with their new settings. */
  readonly relaxed: RelaxedChecks | undefined;
  /** How many tests and checks of text are red without the change. */
  readonly red: number;
  readonly trees: ExamTrees;
  readonly sittings: readonly ExamHalfRun[];
  /** All runs on the old tree so far. */
  readonly before: CommandRuns;
};

/** The runs of one half on the other, for the record. */
export type ExamHalfRun = {
  readonly check: "exam-old-on-new" | "exam-new-on-old";
  readonly tree: string;
  readonly halves: { readonly code: string; readonly exam: string };
  readonly runs: readonly CommandRun[];
};

type ChangedTrees = { readonly old: string; readonly tree: string };

export type ExamChange = ChangedTrees & {
  /** The composed trees, if they exist already. */
  readonly trees?: ExamTrees;
  /** Runs on both trees so far. */
  readonly before: CommandRuns;
  readonly after: CommandRuns;
  /** True if a test that is red without the change is required. */
  readonly needsRed?: boolean;
  /** Distinguishes this examination from another one of the same step. */
  readonly label?: string;
};

/**
 * Runs the old tests on the new code and, if one fails or proof is required, the new tests on the old code.
 * @rule A-26 (gate) The old tests run on the new code: a test that passed before and fails there, or cannot be
 *   collected, is named and blocks unless announced.
 */
export async function crossExamineChange(
  run: Run,
  place: StepPlace,
  asked: ExamChange,
): Promise<ExamFindings | undefined> {
  if (run.started.commands.length === 0) return undefined;
  const trees = asked.trees ?? (await composeExamTrees(run, place, asked));
  const commands = selectExamCommands(run.started.commands, asked.before, trees);
  const oldOnNew = await runOldOnNew(run, place, { change: asked, trees, commands });
  const steady = await repeatUnsure(run, place, { change: asked, trees, commands, oldOnNew: oldOnNew.runs });
  const first = await judgeCommands(run, { change: steady, trees, commands, oldOnNew: oldOnNew.runs });
  const doubted = first.some(({ verdict }) => verdict === "named");
  const again = doubted
    ? await runOnTree(run, place, {
        ...oldOnNew,
        commands,
        label: formatExamLabel(asked, "old-on-new-again"),
        again: true,
      })
    : oldOnNew.runs;
  const known = { change: steady, trees, commands, oldOnNew: again };
  const { change, newOnOld } = await runNewOnOld(run, place, { ...known, doubted });
  const seen = await judgeCommands(run, {
    change,
    trees,
    commands,
    oldOnNew: again,
    ...(newOnOld ? { newOnOld } : {}),
  });
  const sit = (tree: string, label: string) =>
    listNamedTests(run, place, { change, trees, commands, tree, label: formatExamLabel(change, label) });
  const doubtful = doubted ? [] : await runDoubtfulTrees(trees, sit);
  const around = doubted || doubtful.length > 0 ? [] : await runWithSurroundings(trees, sit);
  const relaxed = await runWithOldSettings(run, place, {
    before: change.before,
    after: change.after,
    trees,
    labelOf: (what) => formatExamLabel(asked, what),
  });
  const sittings = listExamSides({ change, trees, oldOnNew: { tree: oldOnNew.tree, runs: again }, newOnOld });
  const sum = summarizeVerdicts(seen, trees);
  const others = run.started.commands.filter((command) => !commands.includes(command));
  return {
    ...sum,
    red: sum.red + (relaxed ? 0 : countRepaired(others, change)),
    passedBefore: commands.reduce((sum, { name }) => sum + (change.before.get(name)?.[0]?.tests?.passed ?? 0), 0),
    byName: isNamed(change, commands),
    oldPackages: oldOnNew.oldPackages === true,
    before: change.before,
    doubtful,
    around,
    relaxed,
    trees,
    sittings,
  };
}

/** Checks of text that failed on the old code and pass on the new one, with settings that demand no less. */
function countRepaired(commands: readonly Command[], { before, after }: ExamChange): number {
  const ends = (runs: CommandRuns, { name }: Command) =>
    (runs.get(name) ?? []).filter(({ notRun }) => notRun === undefined);
  const isRepaired = (command: Command) => {
    const [old, now] = [ends(before, command), ends(after, command)];
    const isRed = old.length > 0 && old.every(({ exitCode }) => exitCode !== 0 && exitCode !== null);
    return isRed && now.length > 0 && now.every(({ exitCode }) => exitCode === 0);
  };
  return commands.filter(isRepaired).length;
}

type NewOnOldResult = { readonly change: ExamChange; readonly newOnOld?: CommandRuns };

/**
 * Runs the new tests on the old code. If the tests are unchanged, the runs of the old code are reused. A failure counts
 * as red only if it happens twice, unless something else is red because it does not exist there.
 */
async function runNewOnOld(
  run: Run,
  place: StepPlace,
  at: ExamContext & { readonly oldOnNew: CommandRuns; readonly doubted: boolean },
): Promise<NewOnOldResult> {
  const { change, trees, commands, oldOnNew, doubted } = at;
  const { newOnOld: tree } = trees;
  if (!change.needsRed && (!doubted || tree === undefined)) return { change };
  const asked = { tree: tree ?? change.old, commands, label: formatExamLabel(change, "new-on-old") };
  const newOnOld = tree === undefined ? {} : { newOnOld: await runOnTree(run, place, asked) };
  if (!change.needsRed) return { change, ...newOnOld };
  const red = await judgeCommands(run, { change, trees, commands, oldOnNew, ...newOnOld });
  if (red.every((each) => each.red.length === 0) || red.some((each) => each.redByAbsence.length > 0))
    return { change, ...newOnOld };
  const twice = await runOnTree(run, place, { ...asked, label: `${asked.label}-again`, again: true });
  if (tree !== undefined) return { change, newOnOld: twice };
  return { change: { ...change, before: new Map([...change.before, ...twice]) } };
}

/**
 * Runs the old tests on the old code once more: a missing name may be a title that differs each time, and a red test
 * may be red by chance. Only on the tree that the run started from: on any other tree its author could create titles
 * that differ.
 */
async function repeatUnsure(
  run: Run,
  place: StepPlace,
  { change, trees, commands, oldOnNew }: VerdictInput,
): Promise<ExamChange> {
  if (change.old !== run.started.base.tree) return change;
  const seen = await judgeCommands(run, { change, trees, commands, oldOnNew });
  const isUnsure = (each: CommandVerdict | undefined) => each && each.missing.length + each.edited.length > 0;
  const gone = commands.filter((_command, at) => isUnsure(seen[at]));
  if (gone.length === 0) return change;
  // Includes the commands before them: stable tests would fail without what a build creates.
  const again = commands.slice(0, commands.findLastIndex((command) => gone.includes(command)) + 1);
  const label = formatExamLabel(change, "old-again");
  const twice = await runOnTree(run, place, { tree: change.old, commands: again, label, again: true });
  return { ...change, before: new Map([...change.before, ...twice]) };
}

/**
 * Selects all commands in their order, as on any other tree: one may build what the next one tests, and any may judge
 * by files of the exam. Only commands that read nothing but text are left out.
 */
function selectExamCommands(
  commands: readonly Command[],
  before: CommandRuns,
  { reading = [] }: ExamTrees,
): readonly Command[] {
  const chosen = commands.filter((command) => hasTestCounts(command, before) || !isTextCommand(command, reading));
  return chosen.length > 0 ? chosen : commands;
}

/** Decided by its programs, or by the scripts of the manifest at the top. */
function isTextCommand(command: Command, reading: readonly string[]): boolean {
  const isHere = command.cwd === undefined && !isTestCommand(command);
  return isTextCheck(command) || (isHere && reading.includes(command.run));
}

/** Commands of which only the exit code counts. If no command runs tests, each of them may be the one that does. */
function selectPlain(commands: readonly Command[], before: CommandRuns): ReadonlySet<string> {
  const plain = commands.filter((command) => !hasTestCounts(command, before) && !isTestCommand(command));
  return new Set(plain.length === commands.length ? [] : plain.map(({ name }) => name));
}

function hasTestCounts({ name }: Command, before: CommandRuns): boolean {
  return before.get(name)?.some(({ tests }) => (tests?.total ?? 0) > 0) ?? false;
}

function isNamed({ before }: ExamChange, commands: readonly Command[]): boolean {
  return commands.some(({ name }) => before.get(name)?.some(({ tests }) => tests?.names !== undefined));
}

/** Composes the trees of an examination, and lists what the change touched. */
export async function composeExamTrees(run: Run, place: StepPlace, change: ExamChange): Promise<ExamTrees> {
  const { old, tree, before, after } = change;
  await run.recorder.durable();
  const collected = await listCollectedFiles(run, [...before.values(), ...after.values()].flat());
  const trees = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@${formatExamLabel(change, "exam")}`,
    run: run.id,
    kind: "exam",
    request: { old, new: tree, lines: listCommandLines(run.started), collected, ...toHalvesField(run.started) },
  });
  return run.over ? createNever() : trees;
}

function formatExamLabel({ label }: ExamChange, what: string): string {
  return label === undefined ? what : `${label}-${what}`;
}

function toHalvesField({ exam }: Run["started"]): { readonly halves?: ExamHalves } {
  return exam ? { halves: exam } : {};
}

/** The lines that run on a tree, the set-up first. */
function listCommandLines({ commands, setup }: Run["started"]): readonly string[] {
  return [...(setup ? [setup.run] : []), ...commands.map((command) => command.run)];
}

/** Lists the files of the tests in these runs, as far as their reports name them. */
async function listCollectedFiles(run: Run, seen: readonly CommandRun[]): Promise<readonly string[]> {
  const names = await Promise.all(seen.map((each) => loadTestNames(run, each)));
  return [...new Set(names.flatMap((each) => Object.keys(each ?? {})).map(getTestFile))]
    .filter((file) => file !== "")
    .sort();
}

/** Returns the old tests that fail on a tree twice without being announced. */
async function listNamedTests(
  run: Run,
  place: StepPlace,
  exam: ExamContext & { readonly tree: string; readonly label: string },
) {
  const { change, trees, commands, tree, label } = exam;
  const sit = async (at: { readonly label: string; readonly again?: true }) => {
    const oldOnNew = await runOnTree(run, place, { tree, commands, ...at });
    return (await judgeCommands(run, { change, trees, commands, oldOnNew })).flatMap((each) => each.named.unannounced);
  };
  return (await sit({ label })).length === 0 ? [] : sit({ label: `${label}-again`, again: true });
}

type OldOnNewRuns = { readonly tree: string; readonly runs: CommandRuns; readonly oldPackages?: true };
type ExamContext = { readonly change: ExamChange; readonly trees: ExamTrees; readonly commands: readonly Command[] };

/** Runs the old tests with the old packages if the change removed a package that they need. */
async function runOldOnNew(
  run: Run,
  place: StepPlace,
  { change, trees, commands }: ExamContext,
): Promise<OldOnNewRuns> {
  const { oldOnNew: tree, oldOnNewOldPackages } = trees;
  if (tree === undefined) return { tree: change.tree, runs: change.after };
  const runs = await runOnTree(run, place, { tree, commands, label: formatExamLabel(change, "old-on-new") });
  const stuck = [...runs.values()].some((each) => each.some(isStuck));
  if (!stuck || oldOnNewOldPackages === undefined) return { tree, runs };
  const label = formatExamLabel(change, "old-on-new-packages");
  const sat = await runOnTree(run, place, { tree: oldOnNewOldPackages, commands, label });
  return { tree: oldOnNewOldPackages, runs: sat, oldPackages: true };
}

function isStuck({ notRun, tests }: CommandRun): boolean {
  return notRun !== undefined || tests?.total === 0;
}

type VerdictInput = {
  readonly change: ExamChange;
  readonly commands: readonly Command[];
  readonly oldOnNew: CommandRuns;
  readonly newOnOld?: CommandRuns;
  readonly trees: ExamTrees;
};

type CommandVerdict = CrossExamination & { readonly plain?: true };

/** Returns one verdict per command: the names of one mean nothing to another. */
function judgeCommands(
  run: Run,
  { change, trees, commands, oldOnNew, newOnOld }: VerdictInput,
): Promise<readonly CommandVerdict[]> {
  const plain = selectPlain(commands, change.before);
  return Promise.all(
    commands.map(async ({ name, run: line }) => {
      const runs = (seen: CommandRuns) => Promise.all((seen.get(name) ?? []).map((each) => toExamRun(run, each)));
      const measures = trees.measuring?.includes(line) === true;
      const [old, sat] = [
        await runs(change.before),
        (await runs(oldOnNew)).map((each) => ignoreCoverage(each, measures)),
      ];
      const [now = { exitCode: null, ran: false }] = await runs(change.after);
      if (plain.has(name)) return { ...comparePlainRuns({ name, old, oldOnNew: sat, new: now }), plain: true as const };
      const before = newOnOld ? await runs(newOnOld) : [];
      return compareExamRuns({
        old,
        oldOnNew: sat,
        new: now,
        ...(before.length > 0 ? { newOnOld: before } : {}),
        unchanged: trees.newOnOld === undefined,
        announced: run.state.announced,
      });
    }),
  );
}

/** A run whose tests could not be collected counts as run and failed. */
async function toExamRun(run: Run, seen: CommandRun): Promise<MeasuredExamRun> {
  const names = await loadTestNames(run, seen);
  const { exitCode, notRun, isShortOfCoverage } = seen;
  const ran = notRun === undefined && exitCode !== null;
  return { exitCode, ran, ...(names ? { names } : {}), ...(isShortOfCoverage ? { isShortOfCoverage } : {}) };
}

type MeasuredExamRun = ExamRun & { readonly isShortOfCoverage?: true };

/**
 * Removes a coverage failure: the old tests alone need not cover new code. The new tests must, in their own green run,
 * and where the requirement changed they run with the old settings.
 */
function ignoreCoverage({ isShortOfCoverage, ...seen }: MeasuredExamRun, measures: boolean): ExamRun {
  const { names = {}, exitCode } = seen;
  const ends = Object.values(names);
  const isExcused = measures && isShortOfCoverage && ends.length > 0 && !ends.includes("failed");
  return isExcused ? { ...seen, exitCode: 0 } : { ...seen, exitCode };
}

function summarizeVerdicts(seen: readonly CommandVerdict[], trees: ExamTrees) {
  const isFirst = (at: number) => seen.slice(at + 1).some(({ verdict }) => verdict !== "clean");
  const has = (verdict: CrossExamination["verdict"]) => seen.some((each) => each.verdict === verdict);
  const findings = [
    ...seen.flatMap((each, at) =>
      each.plain ? createPlainFindings(each, { back: trees.exam, isFirst: isFirst(at) }) : createExamFindings(each),
    ),
    ...createInseparableFindings(trees.inseparable),
    ...createReplacedFindings(trees.replaced),
  ];
  return {
    verdict: has("named") ? ("named" as const) : has("none") ? ("none" as const) : ("clean" as const),
    named: seen.flatMap((each) => each.named.unannounced),
    edited: seen.flatMap((each) => each.edited),
    announced: seen.flatMap((each) => each.named.announced),
    findings: [...new Map(findings.map((finding) => [finding.message, finding])).values()],
    wavering: seen.flatMap((each) => each.flaky),
    unsteady: seen.flatMap((each) => each.unsteady),
    dropped: seen.flatMap(createDroppedFindings).map(({ message }) => message),
    fates: {
      dropped: seen.flatMap((each) => each.dropped),
      skipped: seen.flatMap((each) => each.skipped),
      named: seen.flatMap((each) => [...each.named.announced, ...each.named.unannounced]),
      added: seen.flatMap((each) => each.added),
    },
    red: seen.reduce((sum, each) => sum + each.red.length, 0),
  };
}

type ExamSidesInput = {
  readonly change: ExamChange;
  readonly trees: ExamTrees;
  readonly oldOnNew: OldOnNewRuns;
  readonly newOnOld: CommandRuns | undefined;
};

function listExamSides({ change, trees, oldOnNew, newOnOld }: ExamSidesInput): readonly ExamHalfRun[] {
  const { old, tree } = change;
  const back: ExamHalfRun = {
    check: "exam-old-on-new",
    tree: oldOnNew.tree,
    halves: { code: tree, exam: old },
    runs: [...oldOnNew.runs.values()].flat(),
  };
  if (!newOnOld || trees.newOnOld === undefined) return [back];
  const halves = { code: old, exam: tree };
  return [back, { check: "exam-new-on-old", tree: trees.newOnOld, halves, runs: [...newOnOld.values()].flat() }];
}
