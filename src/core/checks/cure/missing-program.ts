import { ECOSYSTEMS } from "../detect/ecosystems/index.ts";
import { type InstallMachine, type InstallWays, isPage, selectInstallWay } from "./install-ways.ts";

/** Returns whether no package of a project provides the program. */
export function isSystemProgram(program: string): boolean {
  return PROGRAMS.has(program);
}

/** Returns how to install the program on this machine: a line to type, or a sentence. */
export function formatInstallHint(program: string, machine: InstallMachine): string {
  const way = selectInstallWay(machine, PROGRAMS.get(program) ?? []);
  if (way === undefined)
    return `install ${program}, put the folder that has it on the PATH, or let the line of setup do that`;
  return isPage(way) ? `install ${program} as ${way} says, or put the folder that has it on the PATH` : way;
}

/** Formats the same as a sentence that starts with the problem. */
export function formatMissingProgram(program: string, machine: InstallMachine): string {
  const getting = formatInstallHint(program, machine);
  return `${program} is not on the PATH; ${getting.startsWith("install ") ? getting : `get it: ${getting}`}`;
}

const PROGRAMS: ReadonlyMap<string, InstallWays> = new Map<string, InstallWays>([
  ...ECOSYSTEMS.flatMap(({ programs }) => Object.entries(programs)),
  ["golangci-lint", ["https://golangci-lint.run/docs/welcome/install"]],
  ["gcc", ["apt install build-essential"]],
  ["cc", ["apt install build-essential"]],
]);

export const KNOWN_PROGRAMS: readonly string[] = [...PROGRAMS.keys()];
