import { isTestCommand } from "../detect/test-command.ts";

/** Recorded run of an exam, reduced to the fields of its description. */
type ExamRunWords = {
  readonly check: string;
  readonly passed: boolean;
  readonly tree: string;
  readonly command: string;
  readonly halves?: { readonly code: string; readonly exam: string } | undefined;
};

/**
 * Explains why this row has no exam run: if the tests or the code did not change, the composed tree is one on which the
 * command ran anyway. Undefined if there was a run.
 */
export function explainSkippedExam({ check, passed, tree, halves }: Omit<ExamRunWords, "command">): string | undefined {
  if (check !== "exam-old-on-new" || !passed || halves === undefined) return undefined;
  if (tree === halves.code) return "no test changed: they ran here already";
  if (tree === halves.exam) return "only tests changed: the old ones ran here";
  return undefined;
}

type NewOnOld = Pick<ExamRunWords, "check" | "command"> & {
  readonly exitCode: number | null;
  readonly tests?: { readonly failed: number; readonly total: number } | undefined;
};

/**
 * Describes the result of the new tests on the old code, with the command that ran them. Failures are the desired
 * result. A command that counts no tests and does not look like a test command, such as a build, proves nothing.
 * Undefined for any other check.
 */
export function formatNewOnOld({ check, command, exitCode, tests }: NewOnOld): string | undefined {
  if (check !== "exam-new-on-old") return undefined;
  const { failed = 0, total = 0 } = tests ?? {};
  if (total === 0 && !isTestCommand({ name: "", run: command })) {
    const ends = exitCode === 0 ? "passes" : "fails";
    return `${quoteCommand(command)} counts no tests and ${ends} on the old code: it says nothing about the new tests`;
  }
  if (exitCode === 0)
    return `${quoteCommand(command)}: the new tests pass on the old code too: they do not show the change`;
  const which = failed > 0 ? `${failed} of ${total} new tests` : "the new tests";
  return `${quoteCommand(command)}: ${which} fail on the old code, as they should: they show the change`;
}

/** Describes which command ran which tests on which code; empty for any other check. */
export function formatHalves(sat: ExamRunWords): string {
  const { check, command, halves } = sat;
  if (halves === undefined || explainSkippedExam(sat) !== undefined) return "";
  const [tests, code] = [halves.exam, halves.code].map((tree) => tree.slice(0, 7));
  return check === "exam-new-on-old"
    ? `new tests ${tests}, old code ${code}`
    : `${quoteCommand(command)}: old tests ${tests}, new code ${code}`;
}

const MOST_COMMAND = 40;

function quoteCommand(command: string): string {
  return `\`${command.length > MOST_COMMAND ? `${command.slice(0, MOST_COMMAND - 1)}…` : command}\``;
}
