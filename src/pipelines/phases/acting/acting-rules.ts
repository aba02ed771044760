import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Check, Evidence } from "../../core/verbs.ts";
import type { Verdict } from "./contracts.ts";
import { asFinding, judged, major } from "./findings.ts";
import type { GateVerdict } from "./gate-event.ts";
import type { Phase, Plan } from "./plan.ts";
import { type PhaseKind, writesOf } from "./plan-rules.ts";
import { ALL_TODOS, EARLIER_TODOS, type Todo } from "./todo.ts";

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

const CONFIRMED = valueRule({
  id: "P-20",
  because: "nothing destructive starts without a person's yes",
  judge: ({ phase, risks, confirmed }: Preflect) =>
    risks.length === 0 || confirmed
      ? { passed: true }
      : { ...judged([`phase ${phase.phase_id} needs a person's yes: ${risks.join(", ")}`]), blocked: true },
});

/** What must hold before a dispatch. */
export const PREFLECT = [SCOPE, PAYLOAD, DEPENDENCIES, EARLIER_TODOS, CONFIRMED] as const;

/** Drift goes back to the planner; missing evidence is for a person. */
export const preflectMiss = ({ findings }: Pick<Decision, "findings">): Exclude<GateVerdict, "GO"> =>
  findings.some(({ by: part }) => part === "scope" || part === "contract") ? "REPLAN" : "ABSTAIN";

type Risky = { readonly risks: readonly string[]; readonly confirmed: boolean };

/** A risky phase is a block until a person has said yes to exactly this. */
export const HIGH_RISK = valueRule({
  id: "P-52",
  because: "a person confirmed what cannot be taken back",
  judge: ({ risks, confirmed }: Risky) =>
    confirmed ? { passed: true } : { ...judged([`a person has to confirm: ${risks.join(", ")}`]), blocked: true },
});

/** What a phase of each kind needs to be complete. */
export const CHECKLIST: Readonly<Record<PhaseKind, readonly Item[]>> = {
  code: ["tests", "build", "lint", "review", "todo"],
  docs: ["review", "todo"],
  "read-only": ["todo"],
};
type Item = "tests" | "build" | "lint" | "review" | "todo";

type Seen = Pick<Evidence, "checks">;

/** What is known when a phase is judged. */
export type Finished = {
  readonly kind: PhaseKind;
  /** What the dispatch came to nothing with. */
  readonly failed?: string | undefined;
  /** Whether files were to change, and which did. */
  readonly work?: Left | undefined;
  readonly evidence?: Seen | undefined;
  readonly verdict?: Pick<Verdict, "issues" | "validated_blocking_issues"> | undefined;
  readonly todo: boolean;
  /** The policy's line about projects that have no build command. */
  readonly acceptUnbuilt: boolean;
};

type Left = {
  readonly due: boolean;
  readonly changed: readonly string[];
  /** What it changed and may not; that was not taken. */
  readonly outside?: readonly string[];
};

export const DELIVERED = valueRule({
  id: "P-30",
  because: "the agent answered, and left work behind",
  judge: ({ failed, work }: Pick<Finished, "failed" | "work">) =>
    judged([...(failed === undefined ? [] : [failed]), ...(work?.due && work.changed.length === 0 ? [UNTOUCHED] : [])]),
});
const UNTOUCHED = "nothing was changed";

const BUILD = valueRule({
  id: "P-23/build",
  because: "code counts as built when the engine saw it build",
  judge: ({ kind, evidence, acceptUnbuilt }: Finished) => {
    if (!CHECKLIST[kind].includes("build")) return { passed: true };
    const build = evidence?.checks.find(({ name }) => name === "build");
    if (build) return judged(build.outcome === "passed" ? [] : [`build: ${build.outcome}`]);
    return acceptUnbuilt ? advised(["build: NOT_AVAILABLE, accepted by the policy"]) : by("unavailable", [UNBUILT]);
  },
});
const UNBUILT = "build: NOT_AVAILABLE, and no line of the policy accepts that";

const TESTS = valueRule({
  id: "P-25/tests",
  because: "the tests pass where the engine ran them",
  judge: ({ kind, evidence }: Finished) => clean(CHECKLIST[kind].includes("tests"), "tests", testsIn(evidence)),
});

const LINT = valueRule({
  id: "P-25/lint",
  because: "no other check found a problem",
  judge: ({ kind, evidence }: Finished) => clean(CHECKLIST[kind].includes("lint"), "lint", restIn(evidence)),
});

/** A planner's label says what a phase needs to be complete, never what it may break. */
const UNHARMED = valueRule({
  id: "A-25",
  because: "what a phase of any kind changed makes no check red",
  judge: ({ kind, evidence, work }: Finished) => {
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

export const REVIEWED = valueRule({
  id: "P-24",
  because: "only issues that the reviewer has confirmed in the code block",
  judge: ({ kind, verdict }: Finished) => {
    if (!CHECKLIST[kind].includes("review")) return { passed: true };
    if (!verdict) return by("unreviewed", ["nobody has reviewed it"]);
    const blocking = verdict.validated_blocking_issues.map(asFinding);
    return blocking.length > 0 ? { passed: false, findings: blocking } : { passed: true, findings: advisory(verdict) };
  },
});

const TODO = valueRule({
  id: "P-25/todo",
  because: "its item of the todo list is marked",
  judge: ({ kind, todo }: Finished) =>
    judged(CHECKLIST[kind].includes("todo") && !todo ? ["its todo item is not marked"] : []),
});

/** When a phase is complete. */
export const COMPLETE = [...BUILT, REVIEWED, TODO] as const;

/** While acting, a replan changes the failed phase and nothing else. */
export const LOCAL = valueRule({
  id: "P-51",
  because: "the replan leaves every other phase alone",
  judge: ({ reaches }: { reaches: readonly number[] }) =>
    judged(reaches.map((id) => `phase ${id} would change too: the plan needs a new approval`)),
});

export type Whole = {
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
  judge: ({ plan, present, explained }: Whole) =>
    judged(
      plannedFiles(plan)
        .filter((path) => !present.includes(path) && !explained.includes(path))
        .map((path) => `${path} was planned and is missing`),
    ),
});

const INSIDE = valueRule({
  id: "P-38/inside",
  because: "nothing outside the plan was changed",
  judge: ({ plan, changed }: Whole) =>
    judged(changed.filter((path) => !plannedFiles(plan).includes(path)).map((path) => `${path} is not in the plan`)),
});

const CONTRACTS = valueRule({
  id: "P-38/contracts",
  because: "whatever one phase delivers to another has both of them complete",
  judge: ({ plan, complete }: Whole) =>
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
  judge: ({ evidence }: Whole) => ({ passed: reds(evidence.checks).length === 0, findings: evidence.regressions }),
});

const CHANGED = valueRule({
  id: "A-30",
  because: "a plan that changes files has changed some",
  judge: ({ plan, changed }: Whole) =>
    judged(changed.length === 0 && plan.phases.some((phase) => writesOf(phase).length > 0) ? [UNTOUCHED] : []),
});

const FINAL_REVIEW = valueRule({
  id: "P-67",
  because: "the final review confirmed no serious issue",
  judge: ({ issues }: Whole) => ({ passed: issues.length === 0, findings: issues }),
});

/** What has to hold between the phases, before anybody reviews the whole. */
export const CONSISTENT = [PRESENT, INSIDE, CONTRACTS, ALL_TODOS, WHOLE_GREEN, CHANGED] as const;
export const WHOLE = [...CONSISTENT, FINAL_REVIEW] as const;

/** Everything that the reviewer saw and that does not block. */
export const advisory = ({
  issues,
  validated_blocking_issues,
}: Pick<Verdict, "issues" | "validated_blocking_issues">) =>
  issues
    .filter(({ description }) => !validated_blocking_issues.some((issue) => issue.description === description))
    .map((issue): Finding => ({ ...asFinding(issue), severity: "minor" }));

export const plannedFiles = ({ phases }: Pick<Plan, "phases">): readonly string[] => [
  ...new Set(phases.flatMap((phase) => phase.files.map((file) => file.path))),
];

/** Failed by itself, worse than before, or no longer to be run; red before or at odds with itself counts neither way. */
export const reds = (checks: readonly Pick<Check, "name" | "outcome">[]) =>
  checks.filter(({ outcome }) => outcome === "failed" || outcome === "regression" || outcome === "not-run");

const isTest = ({ name }: Pick<Check, "name">): boolean => name.startsWith("test");
const testsIn = (evidence: Seen | undefined) => evidence?.checks.filter(isTest) ?? [];
const restIn = (evidence: Seen | undefined) =>
  evidence?.checks.filter((check) => !isTest(check) && check.name !== "build") ?? [];

function clean(asked: boolean, item: string, checks: Seen["checks"]): Judgement {
  if (!asked) return { passed: true };
  if (checks.length === 0) return advised([`${item}: NOT_AVAILABLE`]);
  const red = reds(checks);
  if (red.length > 0) return judged(red.map(({ name, outcome }) => `${name}: ${outcome}`));
  return advised(
    checks.filter(({ outcome }) => outcome !== "passed").map(({ name, outcome }) => `${name}: ${outcome}`),
  );
}

/** Findings that say which part of a gate they are about. */
function by(part: string, problems: readonly string[]): Judgement {
  const findings = problems.map((problem): Finding => ({ ...major(problem), by: part }));
  return { passed: problems.length === 0, findings };
}

const advised = (remarks: readonly string[]): Judgement => ({
  passed: true,
  findings: remarks.map((message): Finding => ({ severity: "minor", message })),
});
