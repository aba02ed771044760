import { matchesAny } from "../../../core/checks/guard/glob.ts";
import type { ExamHalves, ExamRequest } from "../../../core/journal/effect.ts";

/** Returns the half that the configuration assigns to a file; undefined if only names and uses can tell. */
export function findConfiguredHalf(
  { halves }: Pick<ExamRequest, "halves">,
  path: string,
): keyof ExamHalves | undefined {
  if (!halves) return undefined;
  // Tests first: a surplus test is asked about, a missing one is never examined.
  if (matchesAny(path, halves.tests)) return "tests";
  return matchesAny(path, halves.code) ? "code" : undefined;
}
