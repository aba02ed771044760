import type { Finding } from "../../authoring/finding.ts";
import { matchesAny } from "../guard/glob.ts";
import { fewerTests, type TestChange } from "../outcome/fewer-tests.ts";
import { relaxedCi } from "./relaxed-ci.ts";
import { relaxedMake, relaxedPackage, relaxedTox } from "./relaxed-scripts.ts";
import { relaxedSettings } from "./relaxed-settings.ts";
import { rewrittenOutcomes } from "./rewritten-outcomes.ts";
import { type TextChange, tamperFinding } from "./text-change.ts";
import { weakenedTests } from "./weakened-tests.ts";

export type { TextChange } from "./text-change.ts";

export type TamperQuestion = {
  /** Differences between the starting tree and the resulting tree of the work, with both texts. */
  readonly changes: readonly TextChange[];
  /** Globs of files that no agent may change. */
  readonly protectedPaths: readonly string[];
  /** Test counts on both trees, if available. */
  readonly testCounts?: readonly TestChange[];
};

/**
 * Built-in check `tamper`: detects work that made the checks easier instead of the code better. Each match is a
 * finding at gate level that names the file and the change. It reads texts and runs nothing, so it triggers an exam and
 * explains its results; it decides alone only if no exam can run.
 * @rule A-16 (policy) Weakened tests, relaxed settings, protected paths and fewer tests are findings that refuse a
 *   gate.
 */
export function tamperFindings(question: TamperQuestion): readonly Finding[] {
  return [...guardFindings(question), ...weakenedFindings(question)];
}

/** Finds changes that no exam can decide: of protected paths, or of files that control checks elsewhere. */
export function guardFindings({ changes, protectedPaths }: TamperQuestion): readonly Finding[] {
  return [...changes.flatMap((change) => touched(change, protectedPaths)), ...relaxedCi(changes)];
}

/** Finds changes that look like an easier exam. */
export function weakenedFindings({ changes, testCounts = [] }: TamperQuestion): readonly Finding[] {
  const counted = testCounts.filter(({ before, after }) => before && after);
  const fewer = testCounts.map(fewerTests).filter((finding) => finding !== undefined);
  const sameCount = counted.length > 0 && fewer.length === 0;
  return [
    ...weakenedTests({ changes, sameCount }),
    ...changes.flatMap((change) => relaxed(change, changes)),
    ...relaxedSettings(changes),
    ...changes.flatMap(rewrittenOutcomes),
    ...fewer,
  ];
}

const VERBS = { added: "was added", modified: "was changed", deleted: "was deleted" } as const;

function touched({ path, status }: TextChange, protectedPaths: readonly string[]): readonly Finding[] {
  return matchesAny(path, protectedPaths) ? [tamperFinding(path, `${VERBS[status]}, but is protected`)] : [];
}

function relaxed(change: TextChange, changes: readonly TextChange[]): readonly Finding[] {
  const name = change.path.split("/").at(-1) ?? "";
  if (name === "package.json") return relaxedPackage(change);
  if (name === "tox.ini") return changes.some(holdsTox) ? [] : relaxedTox(change);
  return /^(?:GNU)?[Mm]akefile$/.test(name) ? relaxedMake(change) : [];
}

/** tox can be configured in TOML too, so settings that move there are not lost. */
function holdsTox({ path, before = "", after = "" }: TextChange): boolean {
  return path.endsWith(".toml") && after.includes("tox") && !before.includes("[tool.tox");
}
