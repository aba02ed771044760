import { gettingText, isFromOthers, missingText } from "../../core/checks/cure/missing-program.ts";
import { programsIn } from "../../core/checks/cure/started-programs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isInstalled } from "../agents/agents.ts";
import { THIS_MACHINE } from "./this-machine.ts";

type Lines = {
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  readonly setup?: { readonly run: string } | undefined;
};

/** A program that is not here, with all that cannot run without it. */
export type MissingProgram = {
  readonly program: string;
  readonly names: readonly string[];
  /** What is wrong. */
  readonly lacks: string;
  /** What is done about it. */
  readonly get: string;
  /** Both, as one sentence. */
  readonly says: string;
};

/** Known before anything is tried: a set-up that cannot begin keeps every check from running. */
export function missingPrograms({ commands, setup }: Lines): readonly MissingProgram[] {
  const all = [...(setup ? [{ name: "set-up", run: setup.run }] : []), ...commands];
  const lost = all.flatMap(({ name, run }) =>
    programsIn(run).flatMap((program) => (isInstalled(program) ? [] : [{ name, program }])),
  );
  return [...Map.groupBy(lost, ({ program }) => program)].map(([program, list]) => ({
    program,
    names: list.map(({ name }) => name),
    lacks: `${program} is not on the PATH`,
    get: gettingText(program, THIS_MACHINE),
    says: missingText(program, THIS_MACHINE),
  }));
}

/** Of a program that we know how to get nobody has to wait until a clean checkout shows that it is missing. */
export function requirePrograms(lines: Lines): void {
  const missing = missingPrograms(lines).filter(({ program }) => isFromOthers(program));
  if (missing.length === 0) return;
  const told = missing.map(({ lacks, names }) => `${names.join(", ")}: ${lacks}`);
  throw new SignalboxError(
    "PROGRAM_MISSING",
    `The project's own lines cannot run here. ${told.join("; ")}. Nothing was dispatched.`,
    missing.map(({ says }) => says).join("\n      "),
  );
}
