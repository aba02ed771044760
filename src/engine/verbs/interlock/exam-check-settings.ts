import { isTextCheck } from "../../../core/checks/detect/text-check.ts";
import { formatRestoredFiles } from "../../../core/checks/exam/plain-command.ts";
import { extractFailureLines } from "../../../core/checks/outcome/failure-lines.ts";
import type { Command, ExamTrees } from "../../../core/journal/effect.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import { type CommandRun, type CommandRuns, runOnTree } from "../check-runs.ts";

/** Commands that pass on the new code with their new settings and fail there with the old ones. */
export type RelaxedChecks = {
  readonly paths: readonly string[];
  readonly checks: readonly { readonly name: string; readonly printed: string }[];
};

type RelaxedInput = {
  /** Runs on the old tree and on the new one. */
  readonly before: CommandRuns;
  readonly after: CommandRuns;
  readonly trees: ExamTrees;
  /** Names an effect of this examination. */
  readonly labelOf: (what: string) => string;
};

/**
 * Runs the text checks on the new code with their old settings. A check that fails twice runs once more with the old
 * packages: a newer linter may not read the old settings.
 */
export async function runWithOldSettings(
  run: Run,
  place: StepPlace,
  { before, after, trees, labelOf }: RelaxedInput,
): Promise<RelaxedChecks | undefined> {
  const { oldSettings } = trees;
  if (oldSettings === undefined) return undefined;
  const { commands } = run.started;
  const wanted = commands.filter((command) => oldSettings.lines.includes(command.run));
  const last = commands.findLastIndex((command) => wanted.includes(command));
  // Earlier commands may create files that these read.
  const needed = commands.slice(0, last + 1).filter((each) => wanted.includes(each) || !isTextCheck(each));
  const { measuring = [] } = oldSettings;
  // A test command is judged here by its coverage alone: the exam judges its tests.
  const isWanted = (command: Command, getRunsByName: CommandRuns) =>
    !measuring.includes(command.run) || (getRunsByName.get(command.name) ?? []).every((each) => each.isShortOfCoverage);
  const select = (getRunsByName: CommandRuns, among: readonly Command[]) =>
    selectFailing(among, [before, after], getRunsByName).filter((command) => isWanted(command, getRunsByName));
  const runTextChecks = async (tree: string, label: string): Promise<CommandRuns> => {
    const at = { tree, commands: needed, label: labelOf(label) };
    const first = await runOnTree(run, place, at);
    if (select(first, wanted).length === 0) return first;
    return runOnTree(run, place, { ...at, label: `${at.label}-again`, again: true });
  };
  const seen = await runTextChecks(oldSettings.tree, "old-settings");
  const failing = select(seen, wanted);
  const other = failing.length > 0 ? oldSettings.oldPackages : undefined;
  const still = other ? select(await runTextChecks(other, "old-settings-old-packages"), failing) : failing;
  if (still.length === 0) return undefined;
  const getPrintedLines = (getRunsByName: readonly CommandRun[] = []) =>
    extractFailureLines(getRunsByName.at(-1)?.snippet ?? "", PRINTED);
  return {
    paths: oldSettings.paths,
    checks: still.map(({ name }) => ({ name, printed: getPrintedLines(seen.get(name)) })),
  };
}

const PRINTED = 200;

/**
 * Selects commands that are green on one of the trees and never green here: a check that was red is not fixed by its
 * settings.
 */
function selectFailing(
  commands: readonly Command[],
  trees: readonly CommandRuns[],
  seen: CommandRuns,
): readonly Command[] {
  const getRunsByName = (all: CommandRuns, { name }: Command) => all.get(name) ?? [];
  const isGreenOn = (all: CommandRuns, command: Command) =>
    getRunsByName(all, command).length > 0 && getRunsByName(all, command).every(hasExitZero);
  const isJudged = (command: Command) => trees.some((all) => isGreenOn(all, command));
  return commands.filter((command) => isJudged(command) && !getRunsByName(seen, command).some(hasExitZero));
}

function hasExitZero({ exitCode, notRun }: CommandRun): boolean {
  return notRun === undefined && exitCode === 0;
}

/** Formats the findings for a person. */
export function formatRelaxedFindings({ paths, checks }: RelaxedChecks): readonly string[] {
  return checks.map(({ name, printed }) => {
    const said = printed === "" ? "" : ` It printed: ${printed}`;
    return `"${name}" passes on the new code only because its settings changed. It fails with ${formatRestoredFiles(paths)}.${said}`;
  });
}
