import { matchesAny } from "../../../core/checks/guard/glob.ts";
import type { ExamHalves, ExamRequest } from "../../../core/journal/effect.ts";

/** Which half a person says that a file belongs to; undefined where only names and uses can tell. */
export function halfOf({ halves }: Pick<ExamRequest, "halves">, path: string): keyof ExamHalves | undefined {
  if (!halves) return undefined;
  // Tests first: a file too much among them is asked about, one too little is not examined.
  if (matchesAny(path, halves.tests)) return "tests";
  return matchesAny(path, halves.code) ? "code" : undefined;
}
