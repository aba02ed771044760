import type { Finding } from "../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { isCritical, isSerious } from "./building/findings.ts";
import type { Status } from "./contracts.ts";

/** Result of one agent in a cluster; `missing` if it returned nothing usable. */
export type ClusterMember = {
  readonly name: string;
  readonly status: Status | "missing";
  readonly findings: readonly Finding[];
};

export type Aggregate = {
  readonly status: Status;
  readonly why: string;
  /** Agents without a result, if the others were enough. */
  readonly gap?: string;
};

/** Applies the critics' table: a serious finding returns the design. */
export function applyCritiqueTable(members: readonly ClusterMember[]): Aggregate {
  const serious = members.filter((member) => member.findings.some(isSerious));
  if (serious.length > 0) return { status: "NEEDS_REVISION", why: `against it: ${joinNames(serious)}` };
  return { status: "DONE", why: "", ...describeGap(members.filter(isLost)) };
}

/**
 * Result of the engine's own checks: a failed build closes the gate, any other failure counts as an objection. A check
 * that could not run has not passed.
 */
export type FailureKind = "build" | "checks" | "nothing";

const RED: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);
const BUILDS: readonly string[] = ["build", "compile", "typecheck", "parses"];

/**
 * @rule C-37 (policy) The v-build gate follows the engine's own build of the merged tree. If that is red, the result is
 *   an ERROR without a retry, whatever v-build reports.
 */
export function classifyFailures({ checks }: Pick<Evidence, "checks">): FailureKind {
  const red = checks.filter(({ outcome }) => RED.has(outcome));
  if (red.some(({ name }) => BUILDS.includes(name))) return "build";
  return red.length > 0 ? "checks" : "nothing";
}

export type VerificationInput = {
  readonly red: FailureKind;
  /** Tasks that failed or never started. */
  readonly undone: readonly string[];
  readonly build: ClusterMember;
  readonly others: readonly ClusterMember[];
};

/**
 * Applies the verification table. The engine's build decides the gate, and a finding above minor outweighs a DONE, as
 * the prompts state.
 * @rule C-13 (gate) v-build gates the other verifiers, and the first matching row decides: red build or v-build ERROR →
 *   ERROR; two or more missing → ERROR; an objection with one missing → ERROR; an objection → NEEDS_REVISION; otherwise
 *   the findings decide, with a gap noted. NEEDS_REVISION, failing checks and undone tasks are objections; a finding
 *   above minor is NEEDS_REVISION. v-aggregator runs only if there is something to join.
 */
export function applyVerificationTable({ red, undone, build, others }: VerificationInput): Aggregate {
  if (red === "build") return { status: "ERROR", why: "the build is red" };
  if (isLost(build)) return { status: "ERROR", why: "v-build failed" };
  const lost = others.filter(isLost);
  const objecting = [
    ...others.filter((member) => member.status === "NEEDS_REVISION").map(({ name }) => name),
    ...(red === "checks" ? ["the engine's checks"] : []),
    ...(undone.length > 0 ? [`what is not done (${undone.join(", ")})`] : []),
  ].join(", ");
  if (lost.length >= 2) return { status: "ERROR", why: `${joinNames(lost)} gave no result` };
  if (objecting && lost.length > 0) {
    return { status: "ERROR", why: `against it: ${objecting}; and ${joinNames(lost)} gave no result` };
  }
  if (objecting) return { status: "NEEDS_REVISION", why: `against it: ${objecting}` };
  const serious = others.filter((member) => member.findings.some(isSerious));
  if (serious.length > 0) {
    return { status: "NEEDS_REVISION", why: `findings above minor: ${joinNames(serious)}`, ...describeGap(lost) };
  }
  return { status: "DONE", why: "", ...describeGap(lost) };
}

/**
 * Applies the review table. Security decides first; r-knowledge never changes the result.
 * @rule C-16 (gate) r-knowledge never changes the aggregate. If r-security is missing or ERROR after its retry, or
 *   confirms a Blocker or Critical finding, the aggregate is ERROR: one replan, then halt.
 */
export function applyReviewTable(members: readonly ClusterMember[]): Aggregate {
  const counted = members.filter((member) => member.name !== "r-knowledge");
  const security = counted.find((member) => member.name === "r-security");
  if (!security || isLost(security)) return { status: "ERROR", why: "security was not reviewed" };
  const critical = security.findings.find(isCritical);
  if (critical) return { status: "ERROR", why: `security: ${critical.message}` };
  const lost = counted.filter(isLost);
  if (lost.length >= 2) return { status: "ERROR", why: `${joinNames(lost)} gave no result` };
  const objecting = counted.filter((member) => member.status === "NEEDS_REVISION" || member.findings.some(isSerious));
  if (objecting.length > 0) return { status: "NEEDS_REVISION", why: `against it: ${joinNames(objecting)}` };
  return { status: "DONE", why: "", ...describeGap(lost) };
}

/** @rule C-43 (gate) An aggregate that is milder than its table is overruled; a stricter one stands. */
export function selectStricter(table: Aggregate, said: Status | "missing"): Aggregate {
  const order: readonly (Status | "missing")[] = ["DONE", "NEEDS_REVISION", "ERROR", "missing"];
  if (order.indexOf(said) <= order.indexOf(table.status)) return table;
  const status = said === "missing" ? "ERROR" : said;
  return {
    ...table,
    status,
    why: said === "missing" ? "the aggregator failed" : "the aggregator objects",
  };
}

/** Next step after a failed review: the implementers once, the planner once, then halt. */
export type ReviewMove = "fix" | "replan" | "halt";

/**
 * @rule C-17 (policy) NEEDS_REVISION in review goes once to the affected implementers, then once to the planner; after
 *   that, the run ends in ERROR.
 * @rule C-39 (policy) Any other R aggregate ERROR uses the run's one planner replan.
 */
export function chooseMove(review: { status: Status; fixed: boolean; replanned: boolean }): ReviewMove {
  if (review.status === "NEEDS_REVISION" && !review.fixed) return "fix";
  return review.replanned ? "halt" : "replan";
}

const TABLE = "the cluster's table";

/** Selects the findings that an agent can fix. The table's own reason is included only if nothing else is serious. */
export function selectFixable(findings: readonly Finding[]): readonly Finding[] {
  const found = findings.filter(({ by }) => by !== TABLE);
  return found.some(isSerious) ? found : findings;
}

type AggregateReport = { readonly aggregate: Aggregate; readonly findings: readonly Finding[] };

const toTableJudgement = ({ aggregate, findings }: AggregateReport): Judgement => {
  const { status, why, gap } = aggregate;
  const passed = status === "DONE";
  const lost: Finding[] = gap === undefined ? [] : [{ severity: "minor", message: `gap: ${gap} gave no result` }];
  const reason: Finding[] = passed ? [] : [{ severity: "major", message: why || status, by: TABLE }];
  return { passed, findings: [...reason, ...lost, ...findings], actual: status, need: "DONE" };
};

export const CT = valueRule({
  id: "C-10",
  because: "the critics have no finding above minor",
  judge: toTableJudgement,
});
export const V = valueRule({ id: "C-13", because: "the feature is verified as a whole", judge: toTableJudgement });

/** A review ERROR blocks the commit until a later review of another tree passes. */
export const R = valueRule({
  id: "C-16",
  because: "the reviewers accept the feature, and security has no critical finding",
  judge: (judged: AggregateReport) => ({ ...toTableJudgement(judged), blocked: judged.aggregate.status === "ERROR" }),
});

/**
 * @rule C-11 (gate) Planning produces waves of readable tasks. An absent agent means implementer; an unknown one causes
 *   a warning and means implementer.
 */
export const PLAN = valueRule({
  id: "C-11",
  because: "the plan can be executed: its tasks are valid and have no dependency cycle",
  judge: ({ problems }: { problems: readonly string[] }) => ({
    passed: problems.length === 0,
    findings: problems.map((message): Finding => ({ severity: "major", message })),
  }),
});

type FixEvidence = { readonly evidence: Pick<Evidence, "checks" | "regressions" | "tamper"> };

/**
 * Gate after a fix pass, before the next review.
 * @rule C-38 (gate) In a fix pass each affected implementer gets its own task and findings; the engine's build and
 *   tests follow, then a full R review.
 */
export const FIXED = valueRule({
  id: "C-38",
  because: "the engine's build and tests must hold after a fix pass",
  judge: ({ evidence }: FixEvidence) => ({
    passed: classifyFailures(evidence) === "nothing",
    findings: [...evidence.regressions, ...evidence.tamper],
  }),
});

/** An unchanged tree would get the same review again. */
export const FIX_CHANGED = valueRule({
  id: "A-30/mended",
  because: "a fix pass must change something",
  judge: ({ tree, before, objections }: { tree: string; before: string; objections: readonly Finding[] }) => ({
    passed: tree !== before,
    findings: tree === before ? [{ severity: "major", message: "the fix pass changed nothing" }, ...objections] : [],
  }),
});

type FinalState = { readonly reviewed: boolean; readonly red: FailureKind; readonly changed: readonly string[] };

/**
 * Findings that verification left open are reported; the reviewers knew them.
 * @rule C-25 (gate) The result is DONE if the R aggregate is DONE and no check fails on the final tree; open V findings
 *   are listed in the report.
 */
export const COMPLETE = valueRule({
  id: "C-25",
  because: "the review passed, and no check fails on the final tree",
  judge: ({ reviewed, red }: FinalState) => ({ passed: reviewed && red === "nothing" }),
});

/** Documents about the work are not work. */
export const WORKED = valueRule({
  id: "A-30/worked",
  because: "something was changed besides the feature's own documents",
  judge: ({ changed }: FinalState): Judgement => {
    if (changed.length > 0) return { passed: true };
    const message = "nothing was changed but the feature's own documents";
    return { passed: false, findings: [{ severity: "major", message }] };
  },
});

const isLost = (member: ClusterMember): boolean => member.status === "ERROR" || member.status === "missing";
const joinNames = (members: readonly ClusterMember[]): string => members.map((member) => member.name).join(", ");
const describeGap = (lost: readonly ClusterMember[]): { gap?: string } =>
  lost.length > 0 ? { gap: joinNames(lost) } : {};
