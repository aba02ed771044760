import type { Finding } from "../../authoring/finding.ts";
import { type CrossExamination, EMPTY_VERDICT, type ExamRun, type ExamRuns, WHOLE_COMMAND } from "./cross-examine.ts";

type PlainRuns = Pick<ExamRuns, "old" | "oldOnNew" | "new"> & { readonly name: string };

/**
 * Compares the runs of a command that neither counts tests nor looks like a test command, so only its exit code is
 * known. If it was red on the old code, it is named if only the new exam makes it green.
 */
export function comparePlainRuns({ name, old, oldOnNew, new: now }: PlainRuns): CrossExamination {
  const wasGreen = old.length > 0 && old.every(isGreen);
  const whole = [formatPlainName(name)];
  const isEdited = [...old, ...oldOnNew].every(isRed) && isGreen(now);
  if (isEdited && old.length > 0 && oldOnNew.length > 0)
    return { ...EMPTY_VERDICT, verdict: "named", named: { announced: [], unannounced: whole }, edited: whole };
  if (!wasGreen || oldOnNew.every(isGreen)) return { ...EMPTY_VERDICT, verdict: "clean" };
  if (oldOnNew.some(isGreen)) return { ...EMPTY_VERDICT, verdict: "clean", flaky: whole };
  return { ...EMPTY_VERDICT, verdict: "named", named: { announced: [], unannounced: whole } };
}

/** `contract (the whole command)`: the name is specific, so that accepting one command does not accept others. */
function formatPlainName(name: string): string {
  return `${name} ${WHOLE_COMMAND}`;
}

/** Returns the command of such a name. */
export function parsePlainCommand(name: string): string | undefined {
  return name.endsWith(` ${WHOLE_COMMAND}`) ? name.slice(0, -WHOLE_COMMAND.length - 1) : undefined;
}

type PlainExamRun = {
  /** Restored files. */
  readonly back: readonly string[];
  /** Later commands failed too. */
  readonly isFirst: boolean;
};

export function createPlainFindings(
  { named, edited }: CrossExamination,
  { back, isFirst }: PlainExamRun,
): readonly Finding[] {
  const more = isFirst ? " It failed first: what failed after it may only lack what it makes." : "";
  return named.unannounced.map((name) => ({
    severity: "critical",
    message: `"${parsePlainCommand(name) ?? name}" ${edited.includes(name) ? "failed" : "passed"} on the old code and fails on the new one with ${formatRestoredFiles(back)}. It names no tests: read what it printed.${more}`,
    by: "exam",
  }));
}

/** Names the restored files with which a command fails: its own script may be among them, and no test. */
export function formatRestoredFiles(back: readonly string[]): string {
  const shown = back.slice(0, SHOWN).join(", ");
  if (back.length === 0) return "the tests and their data as they were";
  if (back.length === 1) return `${shown} as it was`;
  return back.length > SHOWN ? `${shown} and ${back.length - SHOWN} more as they were` : `${shown} as they were`;
}

const SHOWN = 3;

function isGreen({ exitCode, ran }: ExamRun): boolean {
  return ran && exitCode === 0;
}

function isRed({ exitCode, ran }: ExamRun): boolean {
  return ran && exitCode !== 0;
}
