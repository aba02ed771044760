import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Ailment, type CuredProject, curesOf } from "../core/evidence/cure.ts";
import type { PackageSettings } from "../core/evidence/cure-reach.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import type { World } from "../core/ports/world.ts";
import { spoolName } from "../engine/perform/checks.ts";
import { projectIn } from "./detected.ts";
import { packageSettings } from "./package-settings.ts";
import type { RepositoryPlaces } from "./repository.ts";

type Sick = {
  readonly run: string;
  readonly tree: string;
  readonly ailments: readonly Omit<Ailment, "project" | "settings">[];
  readonly workspace: Workspace;
  readonly world: World;
  readonly places: RepositoryPlaces;
};

/** What a person does about commands that could not run here, and where all that they printed lies. */
export async function curesHere({ run, tree, ailments, workspace, world, places }: Sick): Promise<readonly string[]> {
  const around = await cureContext(workspace, { tree, words: ailments.map(({ words }) => words) });
  const cures = curesOf(ailments.map((ailment) => ({ ...ailment, ...around })));
  const unprepared = ailments.some(({ words }) => isUnprepared(words));
  const printed = await printedPlaces({
    places,
    run,
    world,
    commands: unprepared ? ["set-up"] : ailments.map(({ command }) => command.name),
  });
  return [...cures, ...printed.map((place) => `all that it printed: ${place}`)];
}

export type CureContext = { readonly project: CuredProject; readonly settings?: PackageSettings };

/** What is known around a command; how packages are reached is asked only where a set-up failed. */
export async function cureContext(
  workspace: Workspace,
  { tree, words }: { readonly tree: string; readonly words: readonly string[] },
): Promise<CureContext> {
  const project = await projectIn(workspace, tree);
  return words.some(isUnprepared) ? { project, settings: await packageSettings() } : { project };
}

const isUnprepared = (words: string): boolean => words.includes("the set-up failed");

type Printed = {
  readonly places: RepositoryPlaces;
  readonly run: string;
  readonly world: World;
  readonly commands: readonly string[];
};

/** The folders with what these commands printed, as seen from the top of the repository. */
export async function printedPlaces({ places, run, world, commands }: Printed): Promise<readonly string[]> {
  const spools = join(places.runs, run, "spool");
  const effects = await readdir(spools).catch(() => []);
  const folders = effects.flatMap((effect) => commands.map((name) => join(spools, effect, spoolName(world, name))));
  return folders.filter((folder) => existsSync(folder)).map((folder) => relative(places.top, folder));
}
