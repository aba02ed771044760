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
  /** What differs between the tree that the work started from and the one it left, with both texts. */
  readonly changes: readonly TextChange[];
  /** Globs of what no agent may touch. */
  readonly protectedPaths: readonly string[];
  /** What test programs counted on both trees, where they did. */
  readonly testCounts?: readonly TestChange[];
};

/**
 * The engine's own check `tamper`: has the work made it easier to pass instead of better? Each hit is a finding at
 * gate level that names the file and what was done to it. It reads texts and runs nothing, so it is the reason to
 * examine a change and the explanation of what the exam finds; it decides alone only where no exam can be sat.
 * @rule A-16 (policy) Weakened tests, relaxed settings, protected paths and fewer tests are findings that refuse a
 *   gate.
 */
export function tamperFindings(question: TamperQuestion): readonly Finding[] {
  return [...guardFindings(question), ...weakenedFindings(question)];
}

/** What no exam can decide: somebody said that it is not to be touched, or it decides about checks elsewhere. */
export function guardFindings({ changes, protectedPaths }: TamperQuestion): readonly Finding[] {
  return [...changes.flatMap((change) => touched(change, protectedPaths)), ...relaxedCi(changes)];
}

/** What looks like an exam made easier. */
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

/** tox can be configured in TOML too; what moves there is not lost. */
function holdsTox({ path, before = "", after = "" }: TextChange): boolean {
  return path.endsWith(".toml") && after.includes("tox") && !before.includes("[tool.tox");
}
