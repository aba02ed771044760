import { formatInstallHint, formatMissingProgram, isSystemProgram } from "../../core/checks/cure/missing-program.ts";
import { listStartedPrograms } from "../../core/checks/cure/started-programs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isInstalled } from "../agents/agents.ts";
import { THIS_MACHINE } from "./this-machine.ts";

type ProjectCommands = {
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  readonly setup?: { readonly run: string } | undefined;
};

/** A program that is not installed, with the commands that need it. */
export type MissingProgram = {
  readonly program: string;
  readonly names: readonly string[];
  /** The problem. */
  readonly lacks: string;
  /** The fix. */
  readonly get: string;
  /** Problem and fix in one sentence. */
  readonly says: string;
};

/** Finds missing programs without running anything. A setup that cannot start blocks every check. */
export function findMissingPrograms({ commands, setup }: ProjectCommands): readonly MissingProgram[] {
  const all = [...(setup ? [{ name: "set-up", run: setup.run }] : []), ...commands];
  const unavailable = all.flatMap(({ name, run }) =>
    listStartedPrograms(run).flatMap((program) => (isInstalled(program) ? [] : [{ name, program }])),
  );
  return [...Map.groupBy(unavailable, ({ program }) => program)].map(([program, list]) => ({
    program,
    names: list.map(({ name }) => name),
    lacks: `${program} is not on the PATH`,
    get: formatInstallHint(program, THIS_MACHINE),
    says: formatMissingProgram(program, THIS_MACHINE),
  }));
}

/** Refuses early if a program is missing that we know how to install, before a clean checkout is made. */
export function requirePrograms(lines: ProjectCommands): void {
  const missing = findMissingPrograms(lines).filter(({ program }) => isSystemProgram(program));
  if (missing.length === 0) return;
  const problems = missing.map(({ lacks, names }) => `${names.join(", ")}: ${lacks}`);
  throw new SignalboxError(
    "PROGRAM_MISSING",
    `The project's commands cannot run here. ${problems.join("; ")}. No agent was started.`,
    missing.map(({ says }) => says).join("\n      "),
  );
}
