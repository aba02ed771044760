import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Evidence } from "../../core/verbs.ts";
import type { Status } from "./contracts.ts";
import { isCritical, isSerious } from "./findings.ts";

/** How one agent of a cluster ended; `missing` when nothing usable came. */
export type Member = {
  readonly name: string;
  readonly status: Status | "missing";
  readonly findings: readonly Finding[];
};

export type Aggregate = {
  readonly status: Status;
  readonly why: string;
  /** Who gave no result, where the others were enough. */
  readonly gap?: string;
};

/** The critics' table: anything serious sends the design back. */
export function criticismOf(members: readonly Member[]): Aggregate {
  const serious = members.filter((member) => member.findings.some(isSerious));
  if (serious.length > 0) return { status: "NEEDS_REVISION", why: `against it: ${names(serious)}` };
  return { status: "DONE", why: "", ...gapOf(members.filter(isLost)) };
}

/**
 * What the engine's own checks say: a red build closes the gate, anything else that got worse is an objection. What
 * could not be run has not passed.
 */
export type Red = "build" | "checks" | "nothing";

const RED: ReadonlySet<string> = new Set(["failed", "regression", "not-run"]);
const BUILDS: readonly string[] = ["build", "compile", "typecheck", "parses"];

export function redIn({ checks }: Pick<Evidence, "checks">): Red {
  const red = checks.filter(({ outcome }) => RED.has(outcome));
  if (red.some(({ name }) => BUILDS.includes(name))) return "build";
  return red.length > 0 ? "checks" : "nothing";
}

export type Verification = {
  readonly red: Red;
  /** Tasks that failed or were never started: nobody can verify what is not there. */
  readonly undone: readonly string[];
  readonly build: Member;
  readonly others: readonly Member[];
};

/** The verification table. The engine's own build decides the gate, whatever the agent says of it. */
export function verificationOf({ red, undone, build, others }: Verification): Aggregate {
  if (red === "build") return { status: "ERROR", why: "the build is red" };
  if (isLost(build)) return { status: "ERROR", why: "v-build failed" };
  const lost = others.filter(isLost);
  const objecting = [
    ...others.filter((member) => member.status === "NEEDS_REVISION").map(({ name }) => name),
    ...(red === "checks" ? ["the engine's checks"] : []),
    ...(undone.length > 0 ? [`what is not done (${undone.join(", ")})`] : []),
  ].join(", ");
  if (lost.length >= 2) return { status: "ERROR", why: `${names(lost)} gave no result` };
  if (objecting && lost.length > 0) {
    return { status: "ERROR", why: `against it: ${objecting}; and ${names(lost)} gave no result` };
  }
  if (objecting) return { status: "NEEDS_REVISION", why: `against it: ${objecting}` };
  const serious = others.some((member) => member.findings.some(isSerious));
  if (lost.length === 1 && serious) {
    return { status: "NEEDS_REVISION", why: `the rest has findings, and ${names(lost)} gave no result` };
  }
  return { status: "DONE", why: "", ...gapOf(lost) };
}

/** The review table. Security decides first; what r-knowledge does never changes the result. */
export function reviewOf(members: readonly Member[]): Aggregate {
  const counted = members.filter((member) => member.name !== "r-knowledge");
  const security = counted.find((member) => member.name === "r-security");
  if (!security || isLost(security)) return { status: "ERROR", why: "security was not reviewed" };
  const critical = security.findings.find(isCritical);
  if (critical) return { status: "ERROR", why: `security: ${critical.message}` };
  const lost = counted.filter(isLost);
  if (lost.length >= 2) return { status: "ERROR", why: `${names(lost)} gave no result` };
  const objecting = counted.filter((member) => member.status === "NEEDS_REVISION" || member.findings.some(isSerious));
  if (objecting.length > 0) return { status: "NEEDS_REVISION", why: `against it: ${names(objecting)}` };
  return { status: "DONE", why: "", ...gapOf(lost) };
}

/** An aggregator may be stricter than its table, never milder. */
export function stricter(table: Aggregate, said: Status | "missing"): Aggregate {
  const order: readonly (Status | "missing")[] = ["DONE", "NEEDS_REVISION", "ERROR", "missing"];
  if (order.indexOf(said) <= order.indexOf(table.status)) return table;
  const status = said === "missing" ? "ERROR" : said;
  return { ...table, status, why: said === "missing" ? "the aggregator failed" : "the aggregator objects" };
}

/** Where a review that did not pass goes: to the implementers once, to the planner once, then nowhere. */
export type Move = "fix" | "replan" | "halt";

export function moveAfter(review: { status: Status; fixed: boolean; replanned: boolean }): Move {
  if (review.status === "NEEDS_REVISION" && !review.fixed) return "fix";
  return review.replanned ? "halt" : "replan";
}

type Judged = { readonly aggregate: Aggregate; readonly findings: readonly Finding[] };

const asJudgement = ({ aggregate, findings }: Judged): Judgement => {
  const { status, why, gap } = aggregate;
  const passed = status === "DONE";
  const lost: Finding[] = gap === undefined ? [] : [{ severity: "minor", message: `gap: ${gap} gave no result` }];
  const reason: Finding[] = passed ? [] : [{ severity: "major", message: why || status }];
  return { passed, findings: [...reason, ...lost, ...findings], actual: status, need: "DONE" };
};

export const CT = valueRule({ id: "C-10", because: "the critics have nothing serious left", judge: asJudgement });
export const V = valueRule({ id: "C-13", because: "the feature is verified as a whole", judge: asJudgement });

/** What the review calls an ERROR blocks: nothing is committed until a later review of another tree clears it. */
export const R = valueRule({
  id: "C-16",
  because: "the reviewers let the feature pass, security first",
  judge: (judged: Judged) => ({ ...asJudgement(judged), blocked: judged.aggregate.status === "ERROR" }),
});

export const PLAN = valueRule({
  id: "C-11",
  because: "the plan can be carried out: its tasks are readable and do not wait for each other",
  judge: ({ problems }: { problems: readonly string[] }) => ({
    passed: problems.length === 0,
    findings: problems.map((message): Finding => ({ severity: "major", message })),
  }),
});

type Fixed = { readonly evidence: Pick<Evidence, "checks" | "regressions" | "tamper"> };

/** After a fix pass, before anybody reviews again. */
export const FIXED = valueRule({
  id: "C-38",
  because: "the engine's build and tests must hold after a fix pass",
  judge: ({ evidence }: Fixed) => ({
    passed: redIn(evidence) === "nothing",
    findings: [...evidence.regressions, ...evidence.tamper],
  }),
});

/** A review of the tree that was objected to would say the same again. */
export const MENDED = valueRule({
  id: "A-30/mended",
  because: "a fix pass must change something",
  judge: ({ tree, before, objections }: { tree: string; before: string; objections: readonly Finding[] }) => ({
    passed: tree !== before,
    findings: tree === before ? [{ severity: "major", message: "the fix pass changed nothing" }, ...objections] : [],
  }),
});

type Outcome = { readonly reviewed: boolean; readonly red: Red; readonly changed: readonly string[] };

/** What verification left open goes into the report; the review has seen it. */
export const COMPLETE = valueRule({
  id: "C-25",
  because: "the review ended well, and nothing is red on the last tree",
  judge: ({ reviewed, red }: Outcome) => ({ passed: reviewed && red === "nothing" }),
});

/** Papers about work are no work. */
export const WORKED = valueRule({
  id: "A-30/worked",
  because: "something was changed besides the feature's own documents",
  judge: ({ changed }: Outcome): Judgement => {
    if (changed.length > 0) return { passed: true };
    const message = "nothing was changed but the feature's own documents";
    return { passed: false, findings: [{ severity: "major", message }] };
  },
});

const isLost = (member: Member): boolean => member.status === "ERROR" || member.status === "missing";
const names = (members: readonly Member[]): string => members.map((member) => member.name).join(", ");
const gapOf = (lost: readonly Member[]): { gap?: string } => (lost.length > 0 ? { gap: names(lost) } : {});
