import { isTestCommand } from "../detect/test-command.ts";

/** One recorded run of an exam, as far as words about it are needed. */
type ExamSitting = {
  readonly check: string;
  readonly passed: boolean;
  readonly tree: string;
  readonly command: string;
  readonly halves?: { readonly code: string; readonly exam: string } | undefined;
};

/**
 * Why nothing was sat for this row, where the tests or the code did not change: put together, the halves then are a tree
 * on which the command had run anyway. Undefined where something was.
 */
export function unsat({ check, passed, tree, halves }: Omit<ExamSitting, "command">): string | undefined {
  if (check !== "exam-old-on-new" || !passed || halves === undefined) return undefined;
  if (tree === halves.code) return "no test changed: they ran here already";
  if (tree === halves.exam) return "only tests changed: the old ones ran here";
  return undefined;
}

type NewOnOld = Pick<ExamSitting, "check" | "command"> & {
  readonly exitCode: number | null;
  readonly tests?: { readonly failed: number; readonly total: number } | undefined;
};

/**
 * What the new tests say on the old code, with the command that ran them: failing there is what is hoped for. A command
 * that counts no tests and does not look like one, such as a build, shows nothing. Undefined for any other check.
 */
export function newOnOldText({ check, command, exitCode, tests }: NewOnOld): string | undefined {
  if (check !== "exam-new-on-old") return undefined;
  const { failed = 0, total = 0 } = tests ?? {};
  if (total === 0 && !isTestCommand({ name: "", run: command })) {
    const ends = exitCode === 0 ? "passes" : "fails";
    return `${quoted(command)} counts no tests and ${ends} on the old code: it says nothing about the new tests`;
  }
  if (exitCode === 0) return `${quoted(command)}: the new tests pass on the old code too: they do not show the change`;
  const which = failed > 0 ? `${failed} of ${total} new tests` : "the new tests";
  return `${quoted(command)}: ${which} fail on the old code, as they should: they show the change`;
}

/** Which command ran which tests on which code; nothing for any other check. */
export function halvesText(sat: ExamSitting): string {
  const { check, command, halves } = sat;
  if (halves === undefined || unsat(sat) !== undefined) return "";
  const [tests, code] = [halves.exam, halves.code].map((tree) => tree.slice(0, 7));
  return check === "exam-new-on-old"
    ? `new tests ${tests}, old code ${code}`
    : `${quoted(command)}: old tests ${tests}, new code ${code}`;
}

const MOST_COMMAND = 40;

function quoted(command: string): string {
  return `\`${command.length > MOST_COMMAND ? `${command.slice(0, MOST_COMMAND - 1)}…` : command}\``;
}
