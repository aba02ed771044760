import type { Command, ExamTrees } from "../../core/effect.ts";
import { type CrossExamined, crossExamine, type ExamRun } from "../../core/evidence/exam/cross-examine.ts";
import { droppedFindings, examFindings, inseparableFindings } from "../../core/evidence/exam/exam-findings.ts";
import { fileOf } from "../../core/evidence/exam/test-name.ts";
import { isTestCommand } from "../../core/evidence/test-command.ts";
import type { Finding } from "../../core/finding.ts";
import { forever, type Run } from "../run.ts";
import type { StepPlace } from "../step.ts";
import { namesOf, runsOn, type SeenRun, type SeenRuns } from "./check-runs.ts";

/** What a change's cross-examination has shown. */
export type ExamSeen = {
  readonly verdict: CrossExamined["verdict"];
  /** Tests that passed on the old code and do not on the new one, and that nobody announced. */
  readonly named: readonly string[];
  readonly findings: readonly Finding[];
  /** The old exam names its tests on the old code. */
  readonly byName: boolean;
  /** Old tests that fail on the new code once and pass there once. */
  readonly wavering: readonly string[];
  /** The old tests could only be sat with the old packages. */
  readonly oldPackages: boolean;
  /** Which tests the change leaves out although they still pass. */
  readonly dropped: readonly string[];
  /** Old tests that fail where these files are of the other half. */
  readonly doubtful: readonly Doubtful[];
  /** How many tests are red without the change. */
  readonly red: number;
  readonly trees: ExamTrees;
  readonly sittings: readonly Sitting[];
};

export type Doubtful = { readonly paths: readonly string[]; readonly named: readonly string[] };

/** One half put on the other: what it ran, for the record. */
export type Sitting = {
  readonly check: "exam-old-on-new" | "exam-new-on-old";
  readonly tree: string;
  readonly halves: { readonly code: string; readonly exam: string };
  readonly runs: readonly SeenRun[];
};

type Sides = { readonly old: string; readonly tree: string };

export type Change = Sides & {
  /** Where they are composed already. */
  readonly trees?: ExamTrees;
  /** What ran on both trees already. */
  readonly before: SeenRuns;
  readonly after: SeenRuns;
  /** True where a test that is red without the change is asked for. */
  readonly needsRed?: boolean;
};

/** The old exam on the new code and, where that names something or proof is asked for, the new exam on the old code. */
export async function examine(run: Run, place: StepPlace, change: Change): Promise<ExamSeen | undefined> {
  if (run.started.commands.length === 0) return undefined;
  const trees = change.trees ?? (await compose(run, place, change));
  const commands = testCommands(run.started.commands, { before: change.before, exam: trees.exam });
  const oldOnNew = await sitOldOnNew(run, place, { change, trees, commands });
  const first = await verdicts(run, { change, commands, oldOnNew: oldOnNew.runs });
  const doubted = first.some(({ verdict }) => verdict === "named");
  const again = doubted
    ? await runsOn(run, place, { ...oldOnNew, commands, label: "old-on-new-again", again: true })
    : oldOnNew.runs;
  const wanted = trees.newOnOld !== undefined && (doubted || change.needsRed === true);
  const newOnOld = wanted
    ? await runsOn(run, place, { tree: trees.newOnOld, commands, label: "new-on-old" })
    : undefined;
  const seen = await verdicts(run, { change, commands, oldOnNew: again, ...(newOnOld ? { newOnOld } : {}) });
  const doubtful = doubted ? [] : await sitDoubtful(run, place, { change, trees, commands });
  const sittings = sittingsOf({ change, trees, oldOnNew: { tree: oldOnNew.tree, runs: again }, newOnOld });
  return {
    ...summed(seen, trees),
    byName: isNamed(change, commands),
    oldPackages: oldOnNew.oldPackages === true,
    doubtful,
    trees,
    sittings,
  };
}

type Known = { readonly before: SeenRuns; readonly exam: readonly string[] };

/**
 * Those that count tests, look as if they ran some, or name a file of the exam that was changed; where nothing does, any
 * of them may be what judges.
 */
function testCommands(commands: readonly Command[], { before, exam }: Known): readonly Command[] {
  const names = (command: Command) => exam.some((path) => command.run.includes(path));
  const counts = ({ name }: Command) => before.get(name)?.some(({ tests }) => (tests?.total ?? 0) > 0) ?? false;
  const chosen = commands.filter((command) => counts(command) || isTestCommand(command) || names(command));
  return chosen.length > 0 ? chosen : commands;
}

function isNamed({ before }: Change, commands: readonly Command[]): boolean {
  return commands.some(({ name }) => before.get(name)?.some(({ tests }) => tests?.names !== undefined));
}

/** The trees of an examination, and with them what the change touched. */
export async function compose(run: Run, place: StepPlace, { old, tree, before, after }: Change): Promise<ExamTrees> {
  await run.recorder.durable();
  const collected = await collectedIn(run, [...before.values(), ...after.values()].flat());
  const trees = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@exam`,
    run: run.id,
    kind: "exam",
    request: { old, new: tree, lines: linesOf(run.started), collected },
  });
  return run.over ? forever() : trees;
}

/** What is run on a tree, the set-up first. */
function linesOf({ commands, setup }: Run["started"]): readonly string[] {
  return [...(setup ? [setup.run] : []), ...commands.map((command) => command.run)];
}

/** The files that the tests of these runs lie in, as far as their reports name them. */
async function collectedIn(run: Run, seen: readonly SeenRun[]): Promise<readonly string[]> {
  const names = await Promise.all(seen.map((each) => namesOf(run, each)));
  return [...new Set(names.flatMap((each) => Object.keys(each ?? {})).map(fileOf))]
    .filter((file) => file !== "")
    .sort();
}

/** One after the other: they are the same commands. */
async function sitDoubtful(run: Run, place: StepPlace, exam: Exam): Promise<readonly Doubtful[]> {
  const found: Doubtful[] = [];
  for (const [at, { tree, paths }] of (exam.trees.doubtful ?? []).entries()) {
    const label = `doubtful-${at + 1}`;
    const named = await namedOn(run, place, { ...exam, tree, label });
    if (named.length > 0) found.push({ paths, named });
  }
  return found;
}

/** Old tests that fail there twice, and that nobody announced. */
async function namedOn(run: Run, place: StepPlace, exam: Exam & { readonly tree: string; readonly label: string }) {
  const { change, commands, tree, label } = exam;
  const sit = async (at: { readonly label: string; readonly again?: true }) => {
    const oldOnNew = await runsOn(run, place, { tree, commands, ...at });
    return (await verdicts(run, { change, commands, oldOnNew })).flatMap((each) => each.named.unannounced);
  };
  return (await sit({ label })).length === 0 ? [] : sit({ label: `${label}-again`, again: true });
}

type Sat = { readonly tree: string; readonly runs: SeenRuns; readonly oldPackages?: true };
type Exam = { readonly change: Change; readonly trees: ExamTrees; readonly commands: readonly Command[] };

/** Where the change took away a package that the old tests need, they sit with the old packages. */
async function sitOldOnNew(run: Run, place: StepPlace, { change, trees, commands }: Exam): Promise<Sat> {
  const { oldOnNew: tree, oldOnNewOldPackages } = trees;
  if (tree === undefined) return { tree: change.tree, runs: change.after };
  const runs = await runsOn(run, place, { tree, commands, label: "old-on-new" });
  const stuck = [...runs.values()].some((each) => each.some(isStuck));
  if (!stuck || oldOnNewOldPackages === undefined) return { tree, runs };
  const label = "old-on-new-packages";
  const sat = await runsOn(run, place, { tree: oldOnNewOldPackages, commands, label });
  return { tree: oldOnNewOldPackages, runs: sat, oldPackages: true };
}

function isStuck({ notRun, tests }: SeenRun): boolean {
  return notRun !== undefined || tests?.total === 0;
}

type Runs = {
  readonly change: Change;
  readonly commands: readonly Command[];
  readonly oldOnNew: SeenRuns;
  readonly newOnOld?: SeenRuns;
};

/** One verdict per command: the names of one mean nothing to another. */
function verdicts(run: Run, { change, commands, oldOnNew, newOnOld }: Runs): Promise<readonly CrossExamined[]> {
  return Promise.all(
    commands.map(async ({ name }) => {
      const runs = (seen: SeenRuns) => Promise.all((seen.get(name) ?? []).map((each) => examRun(run, each)));
      const [now] = await runs(change.after);
      const [before] = newOnOld ? await runs(newOnOld) : [];
      return crossExamine({
        old: await runs(change.before),
        oldOnNew: await runs(oldOnNew),
        new: now ?? { exitCode: null, ran: false },
        ...(before ? { newOnOld: before } : {}),
        announced: run.state.announced,
      });
    }),
  );
}

/** What could not be collected has been sat, and failed. */
async function examRun(run: Run, seen: SeenRun): Promise<ExamRun> {
  const names = await namesOf(run, seen);
  const { exitCode, notRun } = seen;
  return { exitCode, ran: notRun === undefined && exitCode !== null, ...(names ? { names } : {}) };
}

function summed(seen: readonly CrossExamined[], trees: ExamTrees) {
  const has = (verdict: CrossExamined["verdict"]) => seen.some((each) => each.verdict === verdict);
  const findings = [...seen.flatMap(examFindings), ...inseparableFindings(trees.inseparable)];
  return {
    verdict: has("named") ? ("named" as const) : has("none") ? ("none" as const) : ("clean" as const),
    named: seen.flatMap((each) => each.named.unannounced),
    findings: [...new Map(findings.map((finding) => [finding.message, finding])).values()],
    wavering: seen.flatMap((each) => each.flaky),
    dropped: seen.flatMap(droppedFindings).map(({ message }) => message),
    red: seen.reduce((sum, each) => sum + each.red.length, 0),
  };
}

type Halves = {
  readonly change: Change;
  readonly trees: ExamTrees;
  readonly oldOnNew: Sat;
  readonly newOnOld: SeenRuns | undefined;
};

function sittingsOf({ change, trees, oldOnNew, newOnOld }: Halves): readonly Sitting[] {
  const { old, tree } = change;
  const back: Sitting = {
    check: "exam-old-on-new",
    tree: oldOnNew.tree,
    halves: { code: tree, exam: old },
    runs: [...oldOnNew.runs.values()].flat(),
  };
  if (!newOnOld || trees.newOnOld === undefined) return [back];
  const halves = { code: old, exam: tree };
  return [back, { check: "exam-new-on-old", tree: trees.newOnOld, halves, runs: [...newOnOld.values()].flat() }];
}
