import { fromOthers, missingText, programOf } from "../../core/checks/cure/missing-program.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isInstalled } from "../agents/agents.ts";

type Lines = {
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  readonly setup?: { readonly run: string } | undefined;
};

/** A program that is not here, with all that cannot run without it. */
export type MissingProgram = { readonly program: string; readonly names: readonly string[]; readonly says: string };

/** Known before anything is tried: a set-up that cannot begin keeps every check from running. */
export function missingPrograms({ commands, setup }: Lines): readonly MissingProgram[] {
  const all = [...(setup ? [{ name: "set-up", run: setup.run }] : []), ...commands];
  const lost = all.flatMap(({ name, run }) => {
    const program = programOf(run);
    return program === undefined || isInstalled(program) ? [] : [{ name, program }];
  });
  return [...Map.groupBy(lost, ({ program }) => program)].map(([program, list]) => ({
    program,
    names: list.map(({ name }) => name),
    says: missingText(program),
  }));
}

/** Of a program that we know how to get nobody has to wait until a clean checkout shows that it is missing. */
export function requirePrograms(lines: Lines): void {
  const missing = missingPrograms(lines).filter(({ program }) => fromOthers(program) !== undefined);
  if (missing.length === 0) return;
  const told = missing.map(({ program, names }) => `${names.join(", ")}: ${program} is not on the PATH`);
  throw new SignalboxError(
    "PROGRAM_MISSING",
    `The project's own lines cannot run here. ${told.join("; ")}. Nothing was dispatched.`,
    missing.map(({ says }) => says).join("\n      "),
  );
}
