import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { isWithin } from "../node/containment.ts";

/**
 * Returns the paths in hidden folders that must stay visible so that the command, the programs it starts and those on
 * its search path can run: version managers and package managers install below a home or inside a repository.
 */
export function listPrograms(order: ProcessOrder, hidden: readonly string[]): readonly string[] {
  const folders = searchPath(order.env);
  const places = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder))
    .flatMap((folder) => [folder, ...listLibraries(folder)]);
  const programs = [order.command, ...(order.programs ?? [])];
  return [...places, ...programs.flatMap((program) => listPackage(program, order.env))].filter(
    // A search path through the hidden folder itself does not expose it.
    (place) => !hidden.some((folder) => isWithin(folder, place)),
  );
}

/** Returns the absolute path of a program, so that a later search path cannot replace it. */
export function locateCommand(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return searchPath(env)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function searchPath(env: NodeJS.ProcessEnv): readonly string[] {
  return (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Returns the packages next to a folder of programs, because links in the folder point into them. */
function listLibraries(folder: string): readonly string[] {
  const beside = basename(folder) === ".bin" ? dirname(folder) : join(dirname(folder), "lib", MODULES);
  return basename(beside) === MODULES && existsSync(beside) ? [realpathSync(beside)] : [];
}

/** Returns the `node_modules` folder that contains a program, else the program's resolved file; empty if not found. */
function listPackage(program: string, env: NodeJS.ProcessEnv): readonly string[] {
  const found = isAbsolute(program) ? program : locateCommand(program, env);
  if (found === undefined || !isProgram(found)) return [];
  const real = realpathSync(found);
  const parts = real.split(sep);
  const packages = parts.indexOf(MODULES);
  return packages < 0 ? [real] : [parts.slice(0, packages + 1).join(sep)];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const MODULES = "node_modules";
