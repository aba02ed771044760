import type { Finding } from "../../core/authoring/finding.ts";
import { type Judgement, type Rule, valueRule } from "../../core/authoring/rule.ts";
import type { Check, Evidence } from "../../core/authoring/verbs.ts";
import { findingOf } from "../check-finding.ts";
import type { ChangedFile, Contract } from "./contracts.ts";
import type { Step } from "./item/route.ts";
import { firstLines, oneLine } from "./recording/one-line.ts";

export type StepResult = {
  readonly step: Step;
  readonly contract: Contract;
  /** Whether the ADR that the architect names is in its tree. */
  readonly adrExists?: boolean;
  /** What the engine's own run of every configured command showed. */
  readonly evidence?: Pick<Evidence, "checks" | "tamper"> & Partial<Pick<Evidence, "regressions" | "findings">>;
  /** A person has said that the weakened tests are meant to be so. */
  readonly accepted?: boolean;
  /** What the agent says it changed, what did change, and what was not taken from it. */
  readonly work?: StepWork;
};
export type StepWork = {
  /** It is nothing by itself: what it left must differ from where it began. */
  readonly due: boolean;
  readonly listed: readonly ChangedFile[];
  readonly changed: readonly string[];
  /** Where an earlier run of the item left work: what that had changed, and what differs from the item's base by now. */
  readonly already?: readonly string[];
  readonly whole?: readonly string[];
  readonly outside: readonly string[];
};
type About = { readonly tree: string; readonly returned: StepResult };

/**
 * When a step counts as passed. Form and signature of a contract are judged before it gets here.
 * @rule R-18 (gate) Each of the six steps has its own condition for passing, and the first that does not pass is the
 *   item's last.
 */
export const PASS = valueRule({
  id: "R-18",
  because: "each agent has its own condition for going on",
  judge: ({ returned }: About): Judgement => {
    const reason = missing(returned);
    return reason === undefined ? { passed: true } : { passed: false, findings: [major(reason), ...told(returned)] };
  },
});

/** The engine's own check for tests that were weakened. */
const TAMPER = "tamper";

/**
 * Agents claim, the engine has looked: a red command, a weakened test or a file that does not parse.
 * @rule R-38 (gate) The engine runs every configured command on the item's tree; a red one blocks whatever was said,
 *   checks that are no commands are listed as not run.
 */
export const VERIFIED = valueRule({
  id: "R-38",
  because: "no command may be red on the item's tree, whatever Testing says",
  judge: ({ returned: { evidence, accepted } }: About): Judgement => {
    // What was as red before does not speak against the item; where that proves nothing, `commit` asks a person.
    const open = ({ outcome }: Check) => outcome === "flaky" || outcome === "red-before";
    const counts = (check: Check) => !open(check) && !(accepted && check.name === TAMPER);
    const red = evidence?.checks.filter((check) => !check.passed && counts(check)) ?? [];
    if (red.length === 0) return { passed: true };
    const shown = red.filter(({ name }) => name !== TAMPER).map((check) => findingOf(check, "engine"));
    return { passed: false, findings: [major(standing(red)), ...shown, ...(evidence?.tamper ?? [])] };
  },
});

/** What did not run is neither green nor red. */
function standing(checks: readonly Check[]): string {
  const { red = [], unrun = [] } = Object.groupBy(checks, ({ outcome }) => (outcome === "not-run" ? "unrun" : "red"));
  const listed = (word: string, some: readonly Check[]) =>
    some.length > 0 ? [`${word}: ${some.map(({ name }) => name).join(", ")}`] : [];
  return [...listed("red", red), ...listed("could not be run", unrun)].join("; ");
}

/**
 * A wrong list blocks nothing: what the others are given is what the engine saw.
 * @rule R-39 (gate) Others are given the files that changed, not those that were listed; each difference is a finding.
 */
export const LISTED = valueRule({
  id: "R-39",
  because: "the implementer's list of files is held against what changed",
  judge: ({ returned: { work, step } }: About): Judgement => ({
    passed: true,
    findings: work ? discrepancies(work, step) : [],
  }),
});

/** What judges which step: the engine's own look first, so that it gives the reason. */
export const GATES: Readonly<Record<Step, readonly Rule<About>[]>> = {
  Research: [PASS],
  "Architect (design)": [VERIFIED, PASS, LISTED],
  Implement: [PASS, LISTED],
  "Architect (validation)": [PASS, LISTED],
  Testing: [VERIFIED, PASS, LISTED],
  Review: [PASS],
};

/** What keeps a step from passing, in one line; undefined when nothing does. */
export function missing(returned: StepResult): string | undefined {
  return wrongMode(returned) ?? badVerdict(returned) ?? ownBlock(returned) ?? nothingDelivered(returned);
}

function wrongMode({ step, contract: { mode } }: StepResult): string | undefined {
  const asked = modeOf(step);
  return mode === asked ? undefined : `Mode: expected ${asked ?? "none"}, found ${mode ?? "nothing"}`;
}

/** Failing tests and a review that does not ship count whatever the status says. */
function badVerdict({ step, contract }: StepResult): string | undefined {
  const { failures = [], verdict, blockedReason } = contract;
  if (step === "Testing" && failures.length > 0) return oneLine(blockedReason ?? counted(failures));
  if (step !== "Review") return undefined;
  const [worst] = blockingIn(contract);
  if (verdict === "ship") return worst && oneLine(`verdict ship, and a finding that has to change: ${worst}`);
  return oneLine([`verdict ${verdict}`, blockedReason ?? firstLines(failures[0] ?? "")].filter(Boolean).join(": "));
}

/** Findings of a review that are marked as having to change: whoever lists one has not approved. */
export function blockingIn({ failures = [] }: Pick<Contract, "failures">): readonly string[] {
  return failures.filter((failure) => !NOTHING.test(BLOCKING.exec(failure)?.[1] ?? ""));
}
const BLOCKING = /^[\s*_[(-]*(?:🔴|(?:blocker|blocking|critical|must change)[\])*_]*\s*[:—–-])(.*)$/isu;
/** No mark at all, or one that says how many there are. */
const NOTHING = /^[\s:,—–-]*(?:none|nothing|n\/a|0)?\.?\s*$/i;

function ownBlock({ step, contract }: StepResult): string | undefined {
  if (contract.status === "success") return undefined;
  const { blockedReason, failures = [], evidence } = contract;
  return oneLine(blockedReason ?? firstLines(failures[0] ?? evidence[0] ?? `${step} is blocked`));
}

/** What the agent found, one by one: the reason alone mends nothing. */
function told({ step, contract: { failures = [], evidence, status } }: StepResult): Finding[] {
  const drift = step === "Architect (validation)" && status === "blocked" ? evidence : [];
  return [...failures, ...drift].map((message) => ({ ...major(firstLines(message)), by: step }));
}

function nothingDelivered(returned: StepResult): string | undefined {
  const { step, contract, adrExists } = returned;
  if (step === "Architect (design)" && !adrExists) return "ADR: expected a file of the tree, found none at that path";
  if (isUntouched(returned)) return "nothing was changed, whatever is listed";
  // Whoever finds the work of an earlier run complete has nothing to list.
  const isListDue = step === "Implement" && !returned.work?.whole?.length;
  return isListDue && !contract.files?.length ? "Files: expected at least one, found none" : undefined;
}

/** The item's work counts, not the attempt's: that of an earlier run is part of it, unless it was taken back. */
export const isUntouched = ({ work }: Pick<StepResult, "work">): boolean =>
  !!work?.due && (work.whole ?? work.changed).length === 0;

export function modeOf(step: Step): Contract["mode"] {
  if (step === "Architect (design)") return "design";
  return step === "Architect (validation)" ? "validation" : undefined;
}

function discrepancies({ listed, changed, outside, already = [] }: StepWork, step: Step): Finding[] {
  const unchanged = listed.map(({ path }) => path).filter((path) => ![...changed, ...already].includes(path));
  const unlisted = changed.filter((path) => !listed.some((file) => file.path === path));
  return [
    ...unchanged.map((path) => minor(`${step} lists a file that it did not change`, path)),
    // Only the implementer is asked for a list.
    ...(step === "Implement" ? unlisted : []).map((path) =>
      minor(`${step} changed a file that it does not list`, path),
    ),
    ...outside.map((path) => minor(`${step} changed a file that it may not change; that was not taken`, path)),
  ];
}

const counted = ({ length }: readonly string[]): string => `${length} failing ${length === 1 ? "test" : "tests"}`;
const major = (message: string): Finding => ({ severity: "major", message, by: "engine" });
const minor = (what: string, path: string): Finding => ({
  severity: "minor",
  message: `${what}: ${path}`,
  files: [path],
  by: "engine",
});
