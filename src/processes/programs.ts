import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { ProcessOrder } from "../core/ports/processes.ts";
import { isWithin } from "../node/containment.ts";

/**
 * What must stay visible of hidden places so that this command, what it starts in its turn and the programs on its
 * search path still start: version managers and package managers put them below a home or inside a repository.
 */
export function programsOf(order: ProcessOrder, hidden: readonly string[]): readonly string[] {
  const folders = searchPath(order.env);
  const places = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder))
    .flatMap((folder) => [folder, ...librariesOf(folder)]);
  const programs = [order.command, ...(order.programs ?? [])];
  return [...places, ...programs.flatMap((program) => packageOf(program, order.env))].filter(
    // A search path that leads through the hidden folder itself does not open it.
    (place) => !hidden.some((folder) => isWithin(folder, place)),
  );
}

/** The whole path of a program, so that a later search path cannot put another one in its place. */
export function locate(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return searchPath(env)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function searchPath(env: NodeJS.ProcessEnv): readonly string[] {
  return (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Links in a folder of programs lead into the packages beside it. */
function librariesOf(folder: string): readonly string[] {
  const beside = basename(folder) === ".bin" ? dirname(folder) : join(dirname(folder), "lib", MODULES);
  return basename(beside) === MODULES && existsSync(beside) ? [realpathSync(beside)] : [];
}

/** The file that a program is in the end, and the packages around it. */
function packageOf(program: string, env: NodeJS.ProcessEnv): readonly string[] {
  const found = isAbsolute(program) ? program : locate(program, env);
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
