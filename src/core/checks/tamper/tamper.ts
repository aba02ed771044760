import type { Finding } from "../../authoring/finding.ts";
import { matchesAny } from "../guard/glob.ts";
import { findFewerTests, type TestChange } from "../outcome/fewer-tests.ts";
import { findRelaxedCi } from "./relaxed-ci.ts";
import { findRelaxedMake, findRelaxedPackage, findRelaxedTox } from "./relaxed-scripts.ts";
import { findRelaxedSettings } from "./relaxed-settings.ts";
import { findRewrittenOutcomes } from "./rewritten-outcomes.ts";
import { createTamperFinding, type TextChange } from "./text-change.ts";
import { findWeakenedTests } from "./weakened-tests.ts";

export type { TextChange } from "./text-change.ts";

export type TamperInput = {
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
export function checkTampering(question: TamperInput): readonly Finding[] {
  return [...findGuardedChanges(question), ...findWeakened(question)];
}

/** Finds changes that no exam can decide: of protected paths, or of files that control checks elsewhere. */
export function findGuardedChanges({ changes, protectedPaths }: TamperInput): readonly Finding[] {
  return [...changes.flatMap((change) => findTouchedPaths(change, protectedPaths)), ...findRelaxedCi(changes)];
}

/** Finds changes that look like an easier exam. */
export function findWeakened({ changes, testCounts = [] }: TamperInput): readonly Finding[] {
  const counted = testCounts.filter(({ before, after }) => before && after);
  const fewer = testCounts.map(findFewerTests).filter((finding) => finding !== undefined);
  const sameCount = counted.length > 0 && fewer.length === 0;
  return [
    ...findWeakenedTests({ changes, sameCount }),
    ...changes.flatMap((change) => findRelaxed(change, changes)),
    ...findRelaxedSettings(changes),
    ...changes.flatMap(findRewrittenOutcomes),
    ...fewer,
  ];
}

const VERBS = { added: "was added", modified: "was changed", deleted: "was deleted" } as const;

function findTouchedPaths({ path, status }: TextChange, protectedPaths: readonly string[]): readonly Finding[] {
  return matchesAny(path, protectedPaths) ? [createTamperFinding(path, `${VERBS[status]}, but is protected`)] : [];
}

function findRelaxed(change: TextChange, changes: readonly TextChange[]): readonly Finding[] {
  const name = change.path.split("/").at(-1) ?? "";
  if (name === "package.json") return findRelaxedPackage(change);
  if (name === "tox.ini") return changes.some(isHoldingTox) ? [] : findRelaxedTox(change);
  return /^(?:GNU)?[Mm]akefile$/.test(name) ? findRelaxedMake(change) : [];
}

/** tox can be configured in TOML too, so settings that move there are not lost. */
function isHoldingTox({ path, before = "", after = "" }: TextChange): boolean {
  return path.endsWith(".toml") && after.includes("tox") && !before.includes("[tool.tox");
}
