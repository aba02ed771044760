import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../../core/authoring/rule.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { GateVerdict } from "../gate-event.ts";
import type { Phase, Plan } from "../planning/plan.ts";
import { type PhaseKind, writesOf } from "../planning/plan-rules.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { advised, advisory, asFinding, judged, major } from "../review/findings.ts";
import { ALL_TODOS, EARLIER_TODOS, type Todo } from "../todo.ts";
import { clean, reds, restIn, testsIn } from "./phase-checks.ts";

/** What is known when a phase is about to be dispatched. */
export type Preflect = {
  readonly phase: Phase;
  /** The files of the phase as it was approved. */
  readonly approved: readonly string[];
  /** What is wrong with the payload. */
  readonly problems: readonly string[];
  /** Phases that are complete, with evidence. */
  readonly complete: readonly number[];
  readonly todo: readonly Todo[];
  readonly risks: readonly string[];
  /** Whether a person said yes to these risks. */
  readonly confirmed: boolean;
};

const SCOPE = valueRule({
  id: "P-19/scope",
  because: "the payload stays inside the approved files",
  judge: ({ phase, approved }: Preflect) =>
    by(
      "scope",
      phase.files.filter(({ path }) => !approved.includes(path)).map(({ path }) => `${path} was not approved`),
    ),
});

const PAYLOAD = valueRule({
  id: "P-19/payload",
  because: "the payload is valid for its agent",
  judge: ({ problems }: Preflect) => by("contract", problems),
});

const DEPENDENCIES = valueRule({
  id: "P-19/dependencies",
  because: "what it depends on is complete, with evidence",
  judge: ({ phase, complete }: Preflect) =>
    by(
      "evidence",
      phase.dependencies.filter((id) => !complete.includes(id)).map((id) => `phase ${id} is not complete`),
    ),
});

/** @rule P-20 (gate) Nothing destructive is sent before a person has said yes, autonomous or not. */
const CONFIRMED = valueRule({
  id: "P-20",
  because: "nothing destructive starts without a person's yes",
  judge: ({ phase, risks, confirmed }: Preflect) =>
    risks.length === 0 || confirmed
      ? { passed: true }
      : { ...judged([`phase ${phase.phase_id} needs a person's yes: ${risks.join(", ")}`]), blocked: true },
});

/**
 * @rule P-19 (gate) Before an executor is sent anything, code compares it with what was approved, complete and
 *   harmless, and records which of go, replan, abstain or blocked it came to.
 */
export const PREFLECT = [SCOPE, PAYLOAD, DEPENDENCIES, EARLIER_TODOS, CONFIRMED] as const;

/** Drift goes back to the planner; missing evidence is for a person. */
export const preflectMiss = ({ findings }: Pick<Decision, "findings">): Exclude<GateVerdict, "GO"> =>
  findings.some(({ by: part }) => part === "scope" || part === "contract") ? "REPLAN" : "ABSTAIN";

type Risky = { readonly risks: readonly string[]; readonly confirmed: boolean };

/**
 * A risky phase is a block until a person has said yes to exactly this.
 * @rule P-52 (gate) What cannot be taken back, declared or only named by the plan, is confirmed by a person in every
 *   mode.
 */
export const HIGH_RISK = valueRule({
  id: "P-52",
  because: "a person confirmed what cannot be taken back",
  judge: ({ risks, confirmed }: Risky) =>
    confirmed ? { passed: true } : { ...judged([`a person has to confirm: ${risks.join(", ")}`]), blocked: true },
});

/**
 * @rule P-25 (declaration) Each kind of phase has its own list of what must hold before it is complete; what does not
 *   hold is a classified failure.
 */
export const CHECKLIST: Readonly<Record<PhaseKind, readonly Item[]>> = {
  code: ["tests", "build", "lint", "review", "todo"],
  docs: ["review", "todo"],
  "read-only": ["todo"],
};
type Item = "tests" | "build" | "lint" | "review" | "todo";

type CheckEvidence = Pick<Evidence, "checks">;

/** What is known when a phase is judged. */
export type PhaseFacts = {
  readonly kind: PhaseKind;
  /** What the dispatch came to nothing with. */
  readonly failed?: string | undefined;
  /** Whether files were to change, and which did. */
  readonly work?: PhaseWork | undefined;
  readonly evidence?: CheckEvidence | undefined;
  readonly verdict?: Pick<ReviewVerdict, "issues" | "validated_blocking_issues" | "accepted_by"> | undefined;
  readonly todo: boolean;
  /** Who accepts that the project has no build command: the policy's line, or a person. */
  readonly unbuiltBy?: string | undefined;
};

type PhaseWork = {
  readonly due: boolean;
  readonly changed: readonly string[];
  /** What it changed and may not; that was not taken. */
  readonly outside?: readonly string[];
};

/** @rule P-30 (gate) Silence, a time-out and a rate limit are failures to be handled, never results. */
export const DELIVERED = valueRule({
  id: "P-30",
  because: "the agent answered, and left work behind",
  judge: ({ failed, work }: Pick<PhaseFacts, "failed" | "work">) =>
    judged([...(failed === undefined ? [] : [failed]), ...(work?.due && work.changed.length === 0 ? [UNTOUCHED] : [])]),
});
const UNTOUCHED = "nothing was changed";

/**
 * @rule P-23 (gate) Code is built when the engine saw it build; a project without a build command needs a line of the
 *   policy, or a person who answers for it by name.
 */
const BUILD = valueRule({
  id: "P-23/build",
  because: "code counts as built when the engine saw it build",
  judge: ({ kind, evidence, unbuiltBy }: PhaseFacts) => {
    if (!CHECKLIST[kind].includes("build")) return { passed: true };
    const build = evidence?.checks.find(({ name }) => name === "build");
    if (build) return judged(build.outcome === "passed" ? [] : [`build: ${build.outcome}`]);
    if (unbuiltBy === undefined) return by("unavailable", [UNBUILT]);
    return advised([`build: NOT_AVAILABLE, accepted by ${unbuiltBy}`]);
  },
});
const UNBUILT = "build: NOT_AVAILABLE, and no line of the policy accepts that";

const TESTS = valueRule({
  id: "P-25/tests",
  because: "the tests pass where the engine ran them",
  judge: ({ kind, evidence }: PhaseFacts) => clean(CHECKLIST[kind].includes("tests"), "tests", testsIn(evidence)),
});

const LINT = valueRule({
  id: "P-25/lint",
  because: "no other check found a problem",
  judge: ({ kind, evidence }: PhaseFacts) => clean(CHECKLIST[kind].includes("lint"), "lint", restIn(evidence)),
});

/** A planner's label says what a phase needs to be complete, never what it may break. */
const UNHARMED = valueRule({
  id: "A-25",
  because: "what a phase of any kind changed makes no check red",
  judge: ({ kind, evidence, work }: PhaseFacts) => {
    const red = CHECKLIST[kind].includes("build") ? [] : reds(evidence?.checks ?? []);
    const left = (work?.outside ?? []).map((path) => `${path} is not the phase's to change: that was not taken`);
    const findings = [
      ...red.map(({ name, outcome }) => major(`${name}: ${outcome}`)),
      ...left.map((message): Finding => ({ severity: "minor", message })),
    ];
    return { passed: red.length === 0, findings };
  },
});

/** What is judged before anybody reviews: a red build is not worth a reviewer's time. */
export const BUILT = [DELIVERED, BUILD, TESTS, LINT, UNHARMED] as const;

/**
 * @rule P-24 (gate) Whatever changes files is reviewed at every tier, or says which person accepted it unreviewed; only
 *   what the reviewer confirmed in the code can block it.
 */
export const REVIEWED = valueRule({
  id: "P-24",
  because: "only issues that the reviewer has confirmed in the code block",
  judge: ({ kind, verdict }: PhaseFacts) => {
    if (!CHECKLIST[kind].includes("review")) return { passed: true };
    if (!verdict) return by("unreviewed", ["nobody has reviewed it"]);
    if (verdict.accepted_by !== undefined) return unreviewed(verdict.accepted_by);
    const blocking = verdict.validated_blocking_issues.map(asFinding);
    return blocking.length > 0 ? { passed: false, findings: blocking } : { passed: true, findings: advisory(verdict) };
  },
});

/** It goes on by a person's word, and the gate says so: nobody reads a review into it. */
function unreviewed(person: string): Judgement {
  const message = `nobody has reviewed it: accepted unreviewed by ${person}`;
  return { passed: true, findings: [{ severity: "minor", message, by: "unreviewed" }] };
}

const TODO = valueRule({
  id: "P-25/todo",
  because: "its item of the todo list is marked",
  judge: ({ kind, todo }: PhaseFacts) =>
    judged(CHECKLIST[kind].includes("todo") && !todo ? ["its todo item is not marked"] : []),
});

/** When a phase is complete. */
export const COMPLETE = [...BUILT, REVIEWED, TODO] as const;

export type CompletionFacts = {
  readonly plan: Plan;
  readonly changed: readonly string[];
  /** Planned files that are there. */
  readonly present: readonly string[];
  /** Planned files that are not, and that a report explains. */
  readonly explained: readonly string[];
  readonly complete: readonly number[];
  readonly todo: readonly Todo[];
  readonly evidence: Pick<Evidence, "checks" | "regressions">;
  readonly issues: readonly Finding[];
};

const PRESENT = valueRule({
  id: "P-38/present",
  because: "every planned file is there or explained",
  judge: ({ plan, present, explained }: CompletionFacts) =>
    judged(
      plannedFiles(plan)
        .filter((path) => !present.includes(path) && !explained.includes(path))
        .map((path) => `${path} was planned and is missing`),
    ),
});

const INSIDE = valueRule({
  id: "P-38/inside",
  because: "nothing outside the plan was changed",
  judge: ({ plan, changed }: CompletionFacts) =>
    judged(changed.filter((path) => !plannedFiles(plan).includes(path)).map((path) => `${path} is not in the plan`)),
});

const CONTRACTS = valueRule({
  id: "P-38/contracts",
  because: "whatever one phase delivers to another has both of them complete",
  judge: ({ plan, complete }: CompletionFacts) =>
    judged(
      plan.contracts.flatMap(({ from_phase, to_phase, interface: what }) =>
        [from_phase, to_phase]
          .filter((id) => !complete.includes(id))
          .map((id) => `${what}: phase ${id} is not complete`),
      ),
    ),
});

const WHOLE_GREEN = valueRule({
  id: "P-23/whole",
  because: "the integrated work builds and passes where its parts did",
  judge: ({ evidence }: CompletionFacts) => ({
    passed: reds(evidence.checks).length === 0,
    findings: evidence.regressions,
  }),
});

const CHANGED = valueRule({
  id: "A-30",
  because: "a plan that changes files has changed some",
  judge: ({ plan, changed }: CompletionFacts) =>
    judged(changed.length === 0 && plan.phases.some((phase) => writesOf(phase).length > 0) ? [UNTOUCHED] : []),
});

/**
 * @rule P-67 (gate) A final review without serious issues leaves its advice in a file; an issue in nobody's file is a
 *   person's, and the reviewer fixes none.
 */
const FINAL_REVIEW = valueRule({
  id: "P-67",
  because: "the final review confirmed no serious issue",
  judge: ({ issues }: CompletionFacts) => ({ passed: issues.length === 0, findings: issues }),
});

/**
 * What has to hold between the phases, before anybody reviews the whole.
 * @rule P-38 (gate) At the end every planned file is there or explained, nothing else was changed, and both ends of
 *   every contract between phases are complete.
 */
export const CONSISTENT = [PRESENT, INSIDE, CONTRACTS, ALL_TODOS, WHOLE_GREEN, CHANGED] as const;
export const WHOLE = [...CONSISTENT, FINAL_REVIEW] as const;

export const plannedFiles = ({ phases }: Pick<Plan, "phases">): readonly string[] => [
  ...new Set(phases.flatMap((phase) => phase.files.map((file) => file.path))),
];

/** Findings that say which part of a gate they are about. */
function by(part: string, problems: readonly string[]): Judgement {
  const findings = problems.map((problem): Finding => ({ ...major(problem), by: part }));
  return { passed: problems.length === 0, findings };
}
