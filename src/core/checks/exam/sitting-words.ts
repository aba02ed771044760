/** One recorded run of an exam, as far as words about it are needed. */
type ExamSitting = {
  readonly check: string;
  readonly passed: boolean;
  readonly tree: string;
  readonly halves?: { readonly code: string; readonly exam: string } | undefined;
};

/**
 * Why nothing was sat for this row, where the tests or the code did not change: put together, the halves then are a tree
 * on which the command had run anyway. Undefined where something was.
 */
export function unsat({ check, passed, tree, halves }: ExamSitting): string | undefined {
  if (check !== "exam-old-on-new" || !passed || halves === undefined) return undefined;
  if (tree === halves.code) return "no test changed: they ran here already";
  if (tree === halves.exam) return "only tests changed: the old ones ran here";
  return undefined;
}

type NewOnOld = Pick<ExamSitting, "check"> & {
  readonly exitCode: number | null;
  readonly tests?: { readonly failed: number; readonly total: number } | undefined;
};

/** What it means that tests fail there: that they do is what is hoped for. Undefined of any other check. */
export function newOnOldText({ check, exitCode, tests }: NewOnOld): string | undefined {
  if (check !== "exam-new-on-old") return undefined;
  if (exitCode === 0) return "the new tests pass on the old code too: they do not show the change";
  const failed = tests?.failed ?? 0;
  const which = failed > 0 ? `${failed} of ${tests?.total} new tests` : "the new tests";
  return `${which} fail on the old code, as they should: they show the change`;
}

/** Which tests sat on which code; nothing for any other check. */
export function halvesText(sat: ExamSitting): string {
  const { check, halves } = sat;
  if (halves === undefined || unsat(sat) !== undefined) return "";
  const [tests, code] = [halves.exam, halves.code].map((tree) => tree.slice(0, 7));
  return check === "exam-new-on-old" ? `new tests ${tests}, old code ${code}` : `old tests ${tests}, new code ${code}`;
}
