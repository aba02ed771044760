import type { Finding } from "../../core/authoring/finding.ts";
import { type Judgement, type Rule, valueRule } from "../../core/authoring/rule.ts";
import type { Check, Evidence } from "../../core/authoring/verbs.ts";
import { createCheckFinding } from "../check-finding.ts";
import type { ChangedFile, Contract } from "./contracts.ts";
import type { ItemStep } from "./item/route.ts";
import { takeFirstLines, toOneLine } from "./recording/short-text.ts";

export type StepResult = {
  readonly step: ItemStep;
  readonly contract: Contract;
  /** True if the ADR named by the architect exists in its tree. */
  readonly adrExists?: boolean;
  /** Results of the engine's own run of every configured command. */
  readonly evidence?: Pick<Evidence, "checks" | "tamper"> & Partial<Pick<Evidence, "regressions" | "findings">>;
  /** A person accepted the weakened tests. */
  readonly accepted?: boolean;
  /** Files that the agent lists, changed, and changed without permission. */
  readonly work?: StepWork;
};
export type StepWork = {
  /** True if the step had to change something. */
  readonly due: boolean;
  readonly listed: readonly ChangedFile[];
  readonly changed: readonly string[];
  /** If an earlier run left work: the files it changed, and all files that now differ from the item's base. */
  readonly already?: readonly string[];
  readonly whole?: readonly string[];
  readonly outside: readonly string[];
};
type StepGateInput = { readonly tree: string; readonly returned: StepResult };

/**
 * Pass conditions per step. Form and signature of a contract are checked before.
 * @rule R-18 (gate) Each step has its own pass condition; the first step that does not pass blocks the item.
 */
export const PASS = valueRule({
  id: "R-18",
  because: "each step has its own pass condition",
  judge: ({ returned }: StepGateInput): Judgement => {
    const reason = findBlockReason(returned);
    return reason === undefined
      ? { passed: true }
      : { passed: false, findings: [createMajorFinding(reason), ...listAgentFindings(returned)] };
  },
});

/** The engine's check for weakened tests. */
const TAMPER = "tamper";

/**
 * Compares the agent's claim with the engine's checks: red commands, weakened tests, files that do not parse.
 * @rule R-38 (gate) The engine runs every configured command on the item's tree; a red one blocks the item whatever
 *   Testing reports, and checks that are not commands are listed as not run.
 */
export const VERIFIED = valueRule({
  id: "R-38",
  because: "no command may be red on the item's tree, whatever Testing reports",
  judge: ({ returned: { evidence, accepted } }: StepGateInput): Judgement => {
    // A check that was equally red before does not count against the item; if nothing proves that the work is good,
    // `commit` asks a person.
    const isUndecided = ({ outcome }: Check) => outcome === "flaky" || outcome === "red-before";
    const isCounted = (check: Check) => !isUndecided(check) && !(accepted && check.name === TAMPER);
    const red = evidence?.checks.filter((check) => !check.passed && isCounted(check)) ?? [];
    if (red.length === 0) return { passed: true };
    const checkFindings = red.filter(({ name }) => name !== TAMPER).map((check) => createCheckFinding(check, "engine"));
    return {
      passed: false,
      findings: [createMajorFinding(formatRedChecks(red)), ...checkFindings, ...(evidence?.tamper ?? [])],
    };
  },
});

/** A command that did not run is neither green nor red. */
function formatRedChecks(checks: readonly Check[]): string {
  const { red = [], unrun = [] } = Object.groupBy(checks, ({ outcome }) => (outcome === "not-run" ? "unrun" : "red"));
  const formatGroup = (word: string, some: readonly Check[]) =>
    some.length > 0 ? [`${word}: ${some.map(({ name }) => name).join(", ")}`] : [];
  return [...formatGroup("red", red), ...formatGroup("could not be run", unrun)].join("; ");
}

/**
 * A wrong file list blocks nothing, because other agents get the engine's list.
 * @rule R-39 (gate) Other agents get the engine's list of changed files; each difference from the implementer's list is
 *   a finding.
 */
export const LISTED = valueRule({
  id: "R-39",
  because: "the implementer's file list is compared with the actual changes",
  judge: ({ returned: { work, step } }: StepGateInput): Judgement => ({
    passed: true,
    findings: work ? listDiscrepancies(work, step) : [],
  }),
});

/** Rules per step. The engine's own checks come first, so that they give the reason. */
export const GATES: Readonly<Record<ItemStep, readonly Rule<StepGateInput>[]>> = {
  Research: [PASS],
  "Architect (design)": [VERIFIED, PASS, LISTED],
  Implement: [PASS, LISTED],
  "Architect (validation)": [PASS, LISTED],
  Testing: [VERIFIED, PASS, LISTED],
  Review: [PASS],
};

/** Returns why a step does not pass, in one line; undefined if it passes. */
export function findBlockReason(returned: StepResult): string | undefined {
  return findWrongMode(returned) ?? findBadVerdict(returned) ?? findOwnBlock(returned) ?? findMissingWork(returned);
}

function findWrongMode({ step, contract: { mode } }: StepResult): string | undefined {
  const expected = getMode(step);
  return mode === expected ? undefined : `Mode: expected ${expected ?? "none"}, found ${mode ?? "nothing"}`;
}

/** Failing tests, and a verdict other than `ship`, count whatever the status says. */
function findBadVerdict({ step, contract }: StepResult): string | undefined {
  const { failures = [], verdict, blockedReason } = contract;
  if (step === "Testing" && failures.length > 0) return toOneLine(blockedReason ?? formatFailureCount(failures));
  if (step !== "Review") return undefined;
  const [worst] = listBlockingFailures(contract);
  if (verdict === "ship") return worst && toOneLine(`verdict ship, but a finding must be fixed: ${worst}`);
  return toOneLine(
    [`verdict ${verdict}`, blockedReason ?? takeFirstLines(failures[0] ?? "")].filter(Boolean).join(": "),
  );
}

/** Review findings marked as blocking. A review that lists one has not approved. */
export function listBlockingFailures({ failures = [] }: Pick<Contract, "failures">): readonly string[] {
  return failures.filter((failure) => !NOTHING.test(BLOCKING.exec(failure)?.[1] ?? ""));
}
const BLOCKING = /^[\s*_[(-]*(?:🔴|(?:blocker|blocking|critical|must change)[\])*_]*\s*[:—–-])(.*)$/isu;
/** No text after the mark, or only a count. */
const NOTHING = /^[\s:,—–-]*(?:none|nothing|n\/a|0)?\.?\s*$/i;

function findOwnBlock({ step, contract }: StepResult): string | undefined {
  if (contract.status === "success") return undefined;
  const { blockedReason, failures = [], evidence } = contract;
  return toOneLine(blockedReason ?? takeFirstLines(failures[0] ?? evidence[0] ?? `${step} is blocked`));
}

/** Lists the agent's findings one by one; the reason alone is not enough to fix them. */
function listAgentFindings({ step, contract: { failures = [], evidence, status } }: StepResult): Finding[] {
  const drift = step === "Architect (validation)" && status === "blocked" ? evidence : [];
  return [...failures, ...drift].map((message) => ({ ...createMajorFinding(takeFirstLines(message)), by: step }));
}

function findMissingWork(returned: StepResult): string | undefined {
  const { step, contract, adrExists } = returned;
  if (step === "Architect (design)" && !adrExists) return "ADR: expected a file in the tree, found none at that path";
  if (isUntouched(returned)) return "no file was changed, whatever is listed";
  // An implementer that finds an earlier run's work complete has no files to list.
  const isListDue = step === "Implement" && !returned.work?.whole?.length;
  return isListDue && !contract.files?.length ? "Files: expected at least one, found none" : undefined;
}

/** Counts the item's work, not the attempt's: unreverted work of an earlier run is part of it. */
export const isUntouched = ({ work }: Pick<StepResult, "work">): boolean =>
  !!work?.due && (work.whole ?? work.changed).length === 0;

export function getMode(step: ItemStep): Contract["mode"] {
  if (step === "Architect (design)") return "design";
  return step === "Architect (validation)" ? "validation" : undefined;
}

function listDiscrepancies(
  { listed: formatGroup, changed, outside, already = [] }: StepWork,
  step: ItemStep,
): Finding[] {
  const unchanged = formatGroup.map(({ path }) => path).filter((path) => ![...changed, ...already].includes(path));
  const unlisted = changed.filter((path) => !formatGroup.some((file) => file.path === path));
  return [
    ...unchanged.map((path) => createMinorFinding(`${step} lists a file that it did not change`, path)),
    // Implement alone must list its files.
    ...(step === "Implement" ? unlisted : []).map((path) =>
      createMinorFinding(`${step} changed a file that it does not list`, path),
    ),
    ...outside.map((path) =>
      createMinorFinding(`${step} changed a file that it may not change; the change was discarded`, path),
    ),
  ];
}

const formatFailureCount = ({ length }: readonly string[]): string =>
  `${length} failing ${length === 1 ? "test" : "tests"}`;
const createMajorFinding = (message: string): Finding => ({ severity: "major", message, by: "engine" });
const createMinorFinding = (what: string, path: string): Finding => ({
  severity: "minor",
  message: `${what}: ${path}`,
  files: [path],
  by: "engine",
});
