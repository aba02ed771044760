import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { type FixableProject, proposeFixes, type UnusableCommand } from "../../core/checks/cure/cure.ts";
import { type PackageSettings, parseUnfoundPackages } from "../../core/checks/cure/cure-network.ts";
import type { InstallMachine } from "../../core/checks/cure/install-ways.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { World } from "../../core/ports/world.ts";
import { hashSpoolName } from "../../engine/execute/checks/checks.ts";
import { findNewestStart } from "../../engine/execute/numbered-start.ts";
import { detectTreeProject } from "../project/detect-checks.ts";
import { collectPackageSettings } from "../project/package-settings.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { THIS_MACHINE } from "./this-machine.ts";

type FixRequest = {
  readonly run: string;
  readonly tree: string;
  readonly ailments: readonly UnusableCommand[];
  readonly workspace: Workspace;
  readonly world: World;
  readonly places: RepositoryPlaces;
  /** Names of environment variables that the configuration passes to the setup. */
  readonly given: readonly string[];
};

/** Returns fixes for commands that could not run here, and the folder of their full output. */
export async function suggestFixes({
  run,
  tree,
  ailments,
  workspace,
  world,
  places,
  given,
}: FixRequest): Promise<readonly string[]> {
  const context = await readFixContext(workspace, { tree, words: ailments.map(({ words }) => words) });
  const cures = proposeFixes(ailments.map((ailment) => ({ ...ailment, ...context, given })));
  const unprepared = ailments.some(({ words }) => isSetupFailure(words));
  const printed = await findOutputFolders({
    top: places.top,
    spools: join(places.runs, run, "spool"),
    world,
    commands: unprepared ? ["set-up"] : ailments.map(({ command }) => command.name),
  });
  return [...cures, ...formatOutputFolders(run, printed)];
}

/** Points to all outputs with a single line. */
function formatOutputFolders(run: string, printed: readonly string[]): readonly string[] {
  if (printed.length > 1) return [`full output: signalbox logs ${run} --checks`];
  return printed.map((place) => `full output: ${place}`);
}

export type FixContext = {
  readonly project: FixableProject;
  readonly machine: InstallMachine;
  readonly settings?: PackageSettings;
};

/** Collects facts for finding a fix. Package registry settings are read only if the setup failed. */
export async function readFixContext(
  workspace: Workspace,
  { tree, words }: { readonly tree: string; readonly words: readonly string[] },
): Promise<FixContext> {
  const context = { project: await detectTreeProject(workspace, tree), machine: THIS_MACHINE };
  return words.some(isSetupFailure)
    ? { ...context, settings: await collectPackageSettings(process.env, words.flatMap(parseUnfoundPackages)) }
    : context;
}

const isSetupFailure = (words: string): boolean => words.includes("the set-up failed");

type SpoolSearch = {
  readonly top: string;
  readonly spools: string;
  readonly world: World;
  readonly commands: readonly string[];
};

/** Returns the folders with the output of these commands, relative to the repository's root. */
export async function findOutputFolders({ top, spools, world, commands }: SpoolSearch): Promise<readonly string[]> {
  const effects = await readdir(spools).catch(() => []);
  const starts = await Promise.all(effects.map((effect) => findNewestStart(join(spools, effect))));
  const folders = starts
    .filter((start) => start !== undefined)
    .flatMap((start) => commands.map((name) => join(start, hashSpoolName(world, name))));
  return folders.filter((folder) => existsSync(folder)).map((folder) => relative(top, folder));
}
