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

/** Which tests sat on which code; nothing for any other check. */
export function halvesText(sat: ExamSitting): string {
  const { check, halves } = sat;
  if (halves === undefined || unsat(sat) !== undefined) return "";
  const [tests, code] = [halves.exam, halves.code].map((tree) => tree.slice(0, 7));
  return check === "exam-new-on-old" ? `new tests ${tests}, old code ${code}` : `old tests ${tests}, new code ${code}`;
}
