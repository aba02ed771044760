import type { Retry } from "../../../core/authoring/retry.ts";
import type { Failure, Outcome } from "../../../core/failure/failure.ts";
import type { Policy } from "../policy.ts";
import { type FailureClass, isAbstaining } from "./reply.ts";
import type { Report } from "./report.ts";

type Budgets = Policy["retry_budgets"];
/** How often, and how often the same. */
type Limits = Pick<Policy, "retry_budgets" | "stagnation_detection">;

/** One thing that went wrong on the way to a complete phase: what kind, where, and what was said. */
export type Fault = { readonly class: FailureClass; readonly at: string; readonly reason: string };

export type Route =
  | { readonly go: "again" }
  | { readonly go: "replan" }
  | { readonly go: "escalate"; readonly why: string };

/**
 * What the failures of one phase lead to, the newest last. The first attempt is not a retry.
 * @rule P-28 (policy) Each class of failure has its own number of retries and its own way: again, with a hint, to the
 *   planner, or to a person.
 * @rule P-29 (policy) A phase has five retries in all, and fails the same way three times in a row only once.
 */
export function routeOf(failures: readonly FailureClass[], limits: Limits): Route {
  const { retry_budgets: budgets, stagnation_detection: same } = limits;
  const last = failures.at(-1);
  if (!last) return { go: "again" };
  const total = failures.filter((each) => each === last).length;
  if (total > maxOf(last, budgets)) {
    return { go: "escalate", why: last === "escalate" ? "a person has to decide" : `no retry left for ${last}` };
  }
  if (failures.length > budgets.max_retries_per_phase) {
    return { go: "escalate", why: `all ${budgets.max_retries_per_phase} retries of the phase are used` };
  }
  if (inARow(failures) >= same.same_phase_failure_escalation_threshold) {
    return { go: "escalate", why: `${last} ${inARow(failures)} times in a row` };
  }
  return { go: last === "needs_replan" ? "replan" : "again" };
}

/**
 * The same table for the attempts of one dispatch: what may pass is waited out by the engine's clock, an unusable
 * answer goes back with what was wrong with it, anything else comes out.
 * @rule P-32 (policy) A retry after a passing failure knows its number and waits twice as long as the one before.
 */
export function retryFor(before: readonly FailureClass[], limits: Limits): Retry {
  return (failures) => {
    const last = failures.at(-1);
    if (!last || isContextRefusal(last)) return { again: false };
    const route = routeOf([...before, ...failures.map(classOfFailure)], limits);
    if (route.go !== "again") return { again: false };
    const passing = PASSING.has(classOfFailure(last));
    return { again: true, waitMs: passing ? limits.retry_budgets.backoff_base_ms * 2 ** (failures.length - 1) : 0 };
  };
}

type ReportedStatus = Pick<Report, "status" | "failure_classification" | "abstain" | "summary"> &
  Partial<Pick<Report, "tests" | "build" | "lint">>;

/** What the attempts of a dispatch failed with, overcome or not. A payload that was too long is nobody's retry. */
export function faultsOf(work: Outcome<{ readonly retried?: readonly Failure[] }>): readonly Fault[] {
  const failures = work.ok ? (work.value.retried ?? []) : (work.failures ?? [work.failure]);
  return failures
    .filter((failure) => !isContextRefusal(failure))
    .map((failure) => ({ class: classOfFailure(failure), at: "dispatch", reason: failure.message }));
}

/** What a report says against itself. */
export function ownFault(work: Outcome<ReportedStatus>): readonly Fault[] {
  const own = work.ok ? classOf(work.value) : undefined;
  return work.ok && own ? [{ class: own, at: "report", reason: reasonOf(work.value) }] : [];
}

/** Undefined when the report is a success; a refusal is never that, nor a question without a request. */
export function classOf(report: Omit<ReportedStatus, "summary">): FailureClass | undefined {
  const { status, failure_classification } = report;
  if (isAbstaining(report)) return "escalate";
  if (status === "COMPLETE") return undefined;
  return status === "FAILED" ? (failure_classification ?? "fixable") : "escalate";
}

/** A report has no field for it: the reason is what it says of itself or of its checks. */
function reasonOf({ status, abstain, summary, tests, build, lint }: ReportedStatus): string {
  const checks = [tests, build, lint].flatMap((check) => check?.details ?? []);
  return abstain.reasons.join("; ") || summary || checks.join("; ") || `the agent reports ${status}`;
}

/** A report of something that may pass is a failed attempt: the engine waits and sends the same thing again. */
export function passingFailure(report: ReportedStatus): Failure | undefined {
  const { status, failure_classification: kind } = report;
  if (status !== "FAILED" || (kind !== "transient" && kind !== "model_unavailable")) return undefined;
  return { class: "transient", code: kind, message: reasonOf(report) };
}

/** Silence, a time-out and a rate limit may pass; none of them is an answer. */
export function classOfFailure(failure: Pick<Failure, "class" | "code" | "last">): FailureClass {
  if (failure.class === "contract") return failure.last?.trim() === "" ? "transient" : "fixable";
  if (failure.code === "model_unavailable") return "model_unavailable";
  return failure.class === "transient" ? "transient" : "escalate";
}

const PASSING: ReadonlySet<FailureClass> = new Set(["transient", "model_unavailable"]);

export const isContextRefusal = (failure: Pick<Failure, "code">): boolean => failure.code === "context_full";

/** How often each class of failure was met. */
export function countsOf(faults: readonly Pick<Fault, "class">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fault of faults) counts[fault.class] = (counts[fault.class] ?? 0) + 1;
  return counts;
}

/** Which phases of a wave met a passing fault; a phase that met several counts once. */
export type FaultyWaves = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * How many may work at once in a wave: less after each earlier wave in which several phases met a passing fault.
 * @rule P-31 (policy) When several phases of a wave meet passing failures, later waves are halved; one phase counts
 *   once however often it failed.
 */
export function capFor({ wave, start, faulty, budgets }: CapInput): number {
  const hard = [...faulty].filter(
    ([earlier, phases]) => earlier < wave && phases.size >= budgets.per_wave_transient_reduction_threshold,
  );
  return hard.reduce((cap) => Math.ceil(cap * budgets.per_wave_parallelism_reduction_factor), start);
}

type CapInput = {
  readonly wave: number;
  readonly start: number;
  readonly faulty: FaultyWaves;
  readonly budgets: Budgets;
};

function inARow(failures: readonly FailureClass[]): number {
  const last = failures.at(-1);
  const before = failures.findLastIndex((each) => each !== last);
  return failures.length - 1 - before;
}

function maxOf(kind: FailureClass, budgets: Budgets): number {
  const by = {
    transient: budgets.transient_max,
    fixable: budgets.fixable_max,
    needs_replan: budgets.needs_replan_max,
    escalate: budgets.escalate_max,
    model_unavailable: budgets.model_unavailable_max,
  };
  return by[kind];
}
