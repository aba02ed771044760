import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../../core/authoring/rule.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { GateVerdict } from "../gate-event.ts";
import type { Phase, Plan } from "../planning/plan.ts";
import { listWrites, type PhaseKind } from "../planning/plan-rules.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { createAdvice, createMajor, judgeProblems, listAdvisory, toIssueFinding } from "../review/findings.ts";
import { ALL_TODOS, EARLIER_TODOS, type Todo } from "../todo.ts";
import { filterOtherChecks, filterRedChecks, filterTestChecks, judgeChecks } from "./phase-checks.ts";

/** Inputs of the PreFlect gate, which runs before a phase is dispatched. */
export type PreflectInput = {
  readonly phase: Phase;
  /** The files of the phase as a person approved it. */
  readonly approved: readonly string[];
  /** Validation errors of the payload. */
  readonly problems: readonly string[];
  /** Ids of phases that are complete, with evidence. */
  readonly complete: readonly number[];
  readonly todo: readonly Todo[];
  readonly risks: readonly string[];
  /** True if a person approved these risks. */
  readonly confirmed: boolean;
};

const SCOPE = valueRule({
  id: "P-19/scope",
  because: "the payload stays inside the approved files",
  judge: ({ phase, approved }: PreflectInput) =>
    judgePart(
      "scope",
      phase.files.filter(({ path }) => !approved.includes(path)).map(({ path }) => `${path} was not approved`),
    ),
});

const PAYLOAD = valueRule({
  id: "P-19/payload",
  because: "the payload matches its agent's contract",
  judge: ({ problems }: PreflectInput) => judgePart("contract", problems),
});

const DEPENDENCIES = valueRule({
  id: "P-19/dependencies",
  because: "all dependencies are complete, with evidence",
  judge: ({ phase, complete }: PreflectInput) =>
    judgePart(
      "evidence",
      phase.dependencies.filter((id) => !complete.includes(id)).map((id) => `phase ${id} is not complete`),
    ),
});

/**
 * @rule P-20 (gate) The engine dispatches nothing destructive or irreversible without a person's approval, in any mode.
 */
const CONFIRMED = valueRule({
  id: "P-20",
  because: "nothing destructive starts without a person's approval",
  judge: ({ phase, risks, confirmed }: PreflectInput) =>
    risks.length === 0 || confirmed
      ? { passed: true }
      : { ...judgeProblems([`phase ${phase.phase_id} needs a person's approval: ${risks.join(", ")}`]), blocked: true },
});

/**
 * @rule P-19 (gate) Before each dispatch, PreFlect compares the phase with what was approved, completed and confirmed,
 *   and records GO, REPLAN, ABSTAIN or BLOCKED.
 */
export const PREFLECT_RULES = [SCOPE, PAYLOAD, DEPENDENCIES, EARLIER_TODOS, CONFIRMED] as const;

/** Scope and contract findings go back to the planner; missing evidence needs a person. */
export const classifyPreflectMiss = ({ findings }: Pick<Decision, "findings">): Exclude<GateVerdict, "GO"> =>
  findings.some(({ by: part }) => part === "scope" || part === "contract") ? "REPLAN" : "ABSTAIN";

type RiskApproval = { readonly risks: readonly string[]; readonly confirmed: boolean };

/**
 * Blocks a risky phase until a person confirms exactly these risks.
 * @rule P-52 (gate) In every mode, a person confirms what cannot be undone, whether the plan declares it or only names
 *   it.
 */
export const HIGH_RISK_RULE = valueRule({
  id: "P-52",
  because: "a person confirmed the irreversible actions",
  judge: ({ risks, confirmed }: RiskApproval) =>
    confirmed
      ? { passed: true }
      : { ...judgeProblems([`a person has to confirm: ${risks.join(", ")}`]), blocked: true },
});

/**
 * @rule P-25 (declaration) Each kind of phase has its own completion checklist; an item that fails is a classified
 *   failure.
 */
export const CHECKLIST: Readonly<Record<PhaseKind, readonly ChecklistItem[]>> = {
  code: ["tests", "build", "lint", "review", "todo"],
  docs: ["review", "todo"],
  "read-only": ["todo"],
};
type ChecklistItem = "tests" | "build" | "lint" | "review" | "todo";

type CheckEvidence = Pick<Evidence, "checks">;

/** Inputs of the gate that judges a finished phase. */
export type PhaseFacts = {
  readonly kind: PhaseKind;
  /** The reason why the dispatch delivered nothing. */
  readonly failed?: string | undefined;
  /** Declares if the phase had to change files, and lists the changed ones. */
  readonly work?: PhaseWork | undefined;
  readonly evidence?: CheckEvidence | undefined;
  readonly verdict?: Pick<ReviewVerdict, "issues" | "validated_blocking_issues" | "accepted_by"> | undefined;
  readonly todo: boolean;
  /** The policy, or the person, that accepts a project without a build command. */
  readonly unbuiltBy?: string | undefined;
};

type PhaseWork = {
  readonly due: boolean;
  readonly changed: readonly string[];
  /** Changes outside the phase's files, which were discarded. */
  readonly outside?: readonly string[];
};

/**
 * @rule P-30 (gate) An empty reply, a timeout and a rate limit are failures that enter retry handling, never success.
 */
export const DELIVERY_RULE = valueRule({
  id: "P-30",
  because: "the agent answered and delivered work",
  judge: ({ failed, work }: Pick<PhaseFacts, "failed" | "work">) =>
    judgeProblems([
      ...(failed === undefined ? [] : [failed]),
      ...(work?.due && work.changed.length === 0 ? [UNTOUCHED] : []),
    ]),
});
const UNTOUCHED = "nothing was changed";

/**
 * @rule P-23 (gate) A code phase is complete only if the engine itself saw the build pass; without a build command, the
 *   policy or a named person must accept that.
 */
const BUILD = valueRule({
  id: "P-23/build",
  because: "code counts as built only if the engine saw the build pass",
  judge: ({ kind, evidence, unbuiltBy }: PhaseFacts) => {
    if (!CHECKLIST[kind].includes("build")) return { passed: true };
    const build = evidence?.checks.find(({ name }) => name === "build");
    if (build) return judgeProblems(build.outcome === "passed" ? [] : [`build: ${build.outcome}`]);
    if (unbuiltBy === undefined) return judgePart("unavailable", [UNBUILT]);
    return createAdvice([`build: NOT_AVAILABLE, accepted by ${unbuiltBy}`]);
  },
});
const UNBUILT = "build: NOT_AVAILABLE, and the policy does not accept that";

const TESTS = valueRule({
  id: "P-25/tests",
  because: "the tests pass in the engine's own run",
  judge: ({ kind, evidence }: PhaseFacts) =>
    judgeChecks(CHECKLIST[kind].includes("tests"), "tests", filterTestChecks(evidence)),
});

const LINT = valueRule({
  id: "P-25/lint",
  because: "no other check found a problem",
  judge: ({ kind, evidence }: PhaseFacts) =>
    judgeChecks(CHECKLIST[kind].includes("lint"), "lint", filterOtherChecks(evidence)),
});

/** A phase of any kind must not turn a check red. */
const UNHARMED = valueRule({
  id: "A-25",
  because: "no phase makes a check fail",
  judge: ({ kind, evidence, work }: PhaseFacts) => {
    const red = CHECKLIST[kind].includes("build") ? [] : filterRedChecks(evidence?.checks ?? []);
    const left = (work?.outside ?? []).map((path) => `${path} is outside the phase's files; the change was discarded`);
    const findings = [
      ...red.map(({ name, outcome }) => createMajor(`${name}: ${outcome}`)),
      ...left.map((message): Finding => ({ severity: "minor", message })),
    ];
    return { passed: red.length === 0, findings };
  },
});

/** Rules judged before the review: a red build is not worth a reviewer's time. */
export const BUILD_RULES = [DELIVERY_RULE, BUILD, TESTS, LINT, UNHARMED] as const;

/**
 * @rule P-24 (gate) Every phase that changes files is reviewed at every tier, or names the person who accepted it
 *   unreviewed; only issues that the reviewer confirmed block it.
 */
export const REVIEW_RULE = valueRule({
  id: "P-24",
  because: "an issue blocks only if the reviewer confirmed it in the code",
  judge: ({ kind, verdict }: PhaseFacts) => {
    if (!CHECKLIST[kind].includes("review")) return { passed: true };
    if (!verdict) return judgePart("unreviewed", ["not reviewed"]);
    if (verdict.accepted_by !== undefined) return acceptUnreviewed(verdict.accepted_by);
    const blocking = verdict.validated_blocking_issues.map(toIssueFinding);
    return blocking.length > 0
      ? { passed: false, findings: blocking }
      : { passed: true, findings: listAdvisory(verdict) };
  },
});

/** Passes on a person's approval. The finding tells readers of the gate that no review took place. */
function acceptUnreviewed(person: string): Judgement {
  const message = `not reviewed: accepted unreviewed by ${person}`;
  return { passed: true, findings: [{ severity: "minor", message, by: "unreviewed" }] };
}

const TODO = valueRule({
  id: "P-25/todo",
  because: "its todo item is complete",
  judge: ({ kind, todo }: PhaseFacts) =>
    judgeProblems(CHECKLIST[kind].includes("todo") && !todo ? ["its todo item is not complete"] : []),
});

/** Conditions for a complete phase. */
export const COMPLETE_RULES = [...BUILD_RULES, REVIEW_RULE, TODO] as const;

export type CompletionFacts = {
  readonly plan: Plan;
  readonly changed: readonly string[];
  /** Planned files that exist. */
  readonly present: readonly string[];
  /** Planned files that are missing and explained by a report. */
  readonly explained: readonly string[];
  readonly complete: readonly number[];
  readonly todo: readonly Todo[];
  readonly evidence: Pick<Evidence, "checks" | "regressions">;
  readonly issues: readonly Finding[];
};

const PRESENT = valueRule({
  id: "P-38/present",
  because: "every planned file exists or is explained",
  judge: ({ plan, present, explained }: CompletionFacts) =>
    judgeProblems(
      listPlannedFiles(plan)
        .filter((path) => !present.includes(path) && !explained.includes(path))
        .map((path) => `${path} was planned and is missing`),
    ),
});

const INSIDE = valueRule({
  id: "P-38/inside",
  because: "no file outside the plan changed",
  judge: ({ plan, changed }: CompletionFacts) =>
    judgeProblems(
      changed.filter((path) => !listPlannedFiles(plan).includes(path)).map((path) => `${path} is not in the plan`),
    ),
});

const CONTRACTS = valueRule({
  id: "P-38/contracts",
  because: "both phases of every contract are complete",
  judge: ({ plan, complete }: CompletionFacts) =>
    judgeProblems(
      plan.contracts.flatMap(({ from_phase, to_phase, interface: what }) =>
        [from_phase, to_phase]
          .filter((id) => !complete.includes(id))
          .map((id) => `${what}: phase ${id} is not complete`),
      ),
    ),
});

const WHOLE_GREEN = valueRule({
  id: "P-23/whole",
  because: "the merged work passes every check that its parts passed",
  judge: ({ evidence }: CompletionFacts) => ({
    passed: filterRedChecks(evidence.checks).length === 0,
    findings: evidence.regressions,
  }),
});

const CHANGED = valueRule({
  id: "A-30",
  because: "a plan that writes files changed at least one",
  judge: ({ plan, changed }: CompletionFacts) =>
    judgeProblems(changed.length === 0 && plan.phases.some((phase) => listWrites(phase).length > 0) ? [UNTOUCHED] : []),
});

/**
 * @rule P-67 (gate) A final review without confirmed CRITICAL or MAJOR issues writes its advice to a file; an issue in
 *   a file that no phase owns goes to a person, and the reviewer never fixes anything.
 */
const FINAL_REVIEW = valueRule({
  id: "P-67",
  because: "the final review confirmed no serious issue",
  judge: ({ issues }: CompletionFacts) => ({ passed: issues.length === 0, findings: issues }),
});

/**
 * Conditions across phases, judged before the final review.
 * @rule P-38 (gate) Completion requires that every planned file exists or is explained, no file outside the plan
 *   changed, and both phases of every contract are complete.
 */
export const CONSISTENCY_RULES = [PRESENT, INSIDE, CONTRACTS, ALL_TODOS, WHOLE_GREEN, CHANGED] as const;
export const COMPLETION_RULES = [...CONSISTENCY_RULES, FINAL_REVIEW] as const;

export const listPlannedFiles = ({ phases }: Pick<Plan, "phases">): readonly string[] => [
  ...new Set(phases.flatMap((phase) => phase.files.map((file) => file.path))),
];

/** Findings that name the part of the gate they belong to. */
function judgePart(part: string, problems: readonly string[]): Judgement {
  const findings = problems.map((problem): Finding => ({ ...createMajor(problem), by: part }));
  return { passed: problems.length === 0, findings };
}
