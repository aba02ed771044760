/** Exit codes of a shell for a missing program, or one that cannot be started. */
const UNSTARTED: ReadonlyMap<number, string> = new Map([
  [126, "it cannot be started"],
  [127, "its program was not found"],
]);

/** Messages of programs about a missing script, target, module or browser. */
const MISSING: readonly RegExp[] = [
  // Diagnosis of the engine for such an exit code of a shell.
  /^signalbox: \S+ is there, but its interpreter \S+ \(in its first line\) is not$/m,
  /^npm (?:error|ERR!) Missing script:? .*/m,
  /^(?: ERR_PNPM_NO_SCRIPT |.*ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT).*/m,
  /^error Command "[^"\n]*" not found\..*/m,
  /^Usage Error: Couldn't find a script named .*/m,
  /^\S*make(?:\[\d+\])?: \*\*\* No rule to make target .*/m,
  /^\S*make(?:\[\d+\])?: \*\*\* .*Error 12[67]\b.*/m,
  /^\S*make(?:\[\d+\])?: \S+: No such file or directory$/m,
  /^(?:\/bin\/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?\S+: (?:command )?not found$/m,
  /^\S*python[\d.]*: No module named \S+$/m,
  /^\S*python[\d.]*: can't open file .*/m,
  /^error: no such (?:command|subcommand):? .*/m,
  /^error: could not find `Cargo\.toml` .*/m,
  /^go: (?:cannot find main module|no modules? ).*/m,
  /browserType\.launch: Executable doesn't exist/,
  /Could not find Chrome \(ver\. [^)]*\)/,
  /^.*Cypress binary is missing/m,
];

export type CommandEnd = {
  readonly exitCode: number | null;
  /** Output, or its end. */
  readonly output: string;
  /** Test counts of a report: a command that ran tests was able to run. */
  readonly tests?: { readonly total: number } | undefined;
};

/** Reason for a set-up that was ended because it printed nothing, used no CPU and changed no file. */
export const STOOD_STILL = "it stood still for 5 minutes and was ended";

/**
 * Returns why an ended command says nothing about the tree: it never judged it. Such a command is neither green nor
 * red.
 */
export function explainNotRun({ exitCode, output, tests }: CommandEnd): string | undefined {
  if (exitCode === 0 || (tests?.total ?? 0) > 0) return undefined;
  const said = MISSING.map((pattern) => pattern.exec(output)?.[0].trim()).find((line) => line !== undefined);
  const unstarted = exitCode === null ? "it was stopped before it ended" : UNSTARTED.get(exitCode);
  if (!said) return unstarted;
  return said.slice(0, MOST_CHARS);
}

const MOST_CHARS = 200;
