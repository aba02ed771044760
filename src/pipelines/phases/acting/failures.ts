import type { Retry } from "../../../core/authoring/retry.ts";
import type { Failure, Outcome } from "../../../core/failure/failure.ts";
import type { Policy } from "../policy.ts";
import { type FailureClass, isAbstaining } from "./reply.ts";
import type { Report } from "./report.ts";

type RetryBudgets = Policy["retry_budgets"];
/** Limits per phase, and for the same failure in a row. */
type RetryLimits = Pick<Policy, "retry_budgets" | "stagnation_detection">;

/** A failure on the way to a complete phase: its class, where it happened, and the reason. */
export type Fault = { readonly class: FailureClass; readonly at: string; readonly reason: string };

export type FailureRoute =
  | { readonly go: "again" }
  | { readonly go: "replan" }
  | { readonly go: "escalate"; readonly why: string };

/**
 * Decides what follows from the failures of one phase, oldest first. The first attempt is not a retry.
 * @rule P-28 (policy) Each failure class has its own retry limit and route: the same agent, the same agent with a hint,
 *   the planner, or a person.
 * @rule P-29 (policy) A phase has five retries in total; the same class three times in a row escalates.
 */
export function routeFailures(failures: readonly FailureClass[], limits: RetryLimits): FailureRoute {
  const { retry_budgets: budgets, stagnation_detection: same } = limits;
  const last = failures.at(-1);
  if (!last) return { go: "again" };
  const total = failures.filter((each) => each === last).length;
  if (total > getRetryLimit(last, budgets)) {
    return { go: "escalate", why: last === "escalate" ? "a person has to decide" : `no retry left for ${last}` };
  }
  if (failures.length > budgets.max_retries_per_phase) {
    return { go: "escalate", why: `all ${budgets.max_retries_per_phase} retries of the phase are used` };
  }
  if (countRepeats(failures) >= same.same_phase_failure_escalation_threshold) {
    return { go: "escalate", why: `${last} ${countRepeats(failures)} times in a row` };
  }
  return { go: last === "needs_replan" ? "replan" : "again" };
}

/**
 * Applies the same table to the attempts of one dispatch: waits by the engine's clock after a transient failure,
 * returns an unusable answer with its errors, and stops on anything else.
 * @rule P-32 (policy) A retry after a transient failure carries its number and waits twice as long as the one before.
 */
export function createRetry(before: readonly FailureClass[], limits: RetryLimits): Retry {
  return (failures) => {
    const last = failures.at(-1);
    if (!last || isContextRefusal(last)) return { again: false };
    const route = routeFailures([...before, ...failures.map(classifyFailure)], limits);
    if (route.go !== "again") return { again: false };
    const passing = TRANSIENT_CLASSES.has(classifyFailure(last));
    return { again: true, waitMs: passing ? limits.retry_budgets.backoff_base_ms * 2 ** (failures.length - 1) : 0 };
  };
}

type ReportedStatus = Pick<Report, "status" | "failure_classification" | "abstain" | "summary"> &
  Partial<Pick<Report, "tests" | "build" | "lint">>;

/** Failures of a dispatch's attempts, including recovered ones. A payload that was too long is not a retry. */
export function listDispatchFaults(work: Outcome<{ readonly retried?: readonly Failure[] }>): readonly Fault[] {
  const failures = work.ok ? (work.value.retried ?? []) : (work.failures ?? [work.failure]);
  return failures
    .filter((failure) => !isContextRefusal(failure))
    .map((failure) => ({ class: classifyFailure(failure), at: "dispatch", reason: failure.message }));
}

/** The failure that a report declares about itself. */
export function getReportFault(work: Outcome<ReportedStatus>): readonly Fault[] {
  const own = work.ok ? classifyReport(work.value) : undefined;
  return work.ok && own ? [{ class: own, at: "report", reason: readReason(work.value) }] : [];
}

/** Undefined if the report is a success. An abstention, or a question without a clarification request, is a failure. */
export function classifyReport(report: Omit<ReportedStatus, "summary">): FailureClass | undefined {
  const { status, failure_classification } = report;
  if (isAbstaining(report)) return "escalate";
  if (status === "COMPLETE") return undefined;
  return status === "FAILED" ? (failure_classification ?? "fixable") : "escalate";
}

/** A report has no reason field, so the reason comes from its abstention, summary or check details. */
function readReason({ status, abstain, summary, tests, build, lint }: ReportedStatus): string {
  const checks = [tests, build, lint].flatMap((check) => check?.details ?? []);
  return abstain.reasons.join("; ") || summary || checks.join("; ") || `the agent reports ${status}`;
}

/** A report of a transient failure counts as a failed attempt: the engine waits and sends the same payload again. */
export function toTransientFailure(report: ReportedStatus): Failure | undefined {
  const { status, failure_classification: kind } = report;
  if (status !== "FAILED" || (kind !== "transient" && kind !== "model_unavailable")) return undefined;
  return { class: "transient", code: kind, message: readReason(report) };
}

/** Classifies a failed dispatch: an empty reply, a timeout and a rate limit are transient, never an answer. */
export function classifyFailure(failure: Pick<Failure, "class" | "code" | "last">): FailureClass {
  if (failure.class === "contract") return failure.last?.trim() === "" ? "transient" : "fixable";
  if (failure.code === "model_unavailable") return "model_unavailable";
  return failure.class === "transient" ? "transient" : "escalate";
}

const TRANSIENT_CLASSES: ReadonlySet<FailureClass> = new Set(["transient", "model_unavailable"]);

export const isContextRefusal = (failure: Pick<Failure, "code">): boolean => failure.code === "context_full";

/** Number of failures per class. */
export function countFaultsByClass(faults: readonly Pick<Fault, "class">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fault of faults) counts[fault.class] = (counts[fault.class] ?? 0) + 1;
  return counts;
}

/** Phases that met a transient failure, per wave; each phase counts once. */
export type FaultyWaves = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Number of phases that may run in parallel in a wave.
 * @rule P-31 (policy) Transient failures of two or more phases in one wave halve the parallelism of later waves; a
 *   phase counts once however often it fails.
 */
export function computeWaveCap({ wave, start, faulty, budgets }: CapInput): number {
  const hard = [...faulty].filter(
    ([earlier, phases]) => earlier < wave && phases.size >= budgets.per_wave_transient_reduction_threshold,
  );
  return hard.reduce((cap) => Math.ceil(cap * budgets.per_wave_parallelism_reduction_factor), start);
}

type CapInput = {
  readonly wave: number;
  readonly start: number;
  readonly faulty: FaultyWaves;
  readonly budgets: RetryBudgets;
};

function countRepeats(failures: readonly FailureClass[]): number {
  const last = failures.at(-1);
  const before = failures.findLastIndex((each) => each !== last);
  return failures.length - 1 - before;
}

function getRetryLimit(kind: FailureClass, budgets: RetryBudgets): number {
  const by = {
    transient: budgets.transient_max,
    fixable: budgets.fixable_max,
    needs_replan: budgets.needs_replan_max,
    escalate: budgets.escalate_max,
    model_unavailable: budgets.model_unavailable_max,
  };
  return by[kind];
}
