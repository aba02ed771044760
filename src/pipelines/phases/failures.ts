import type { Failure, Outcome } from "../../core/failure.ts";
import type { FailureClass, Report } from "./contracts.ts";
import type { Policy } from "./policy.ts";

export type Route =
  | { readonly go: "again" }
  | { readonly go: "replan" }
  | { readonly go: "escalate"; readonly why: string };

/** What the failures of one phase lead to, the newest last. The first attempt is not a retry. */
export function routeOf(failures: readonly FailureClass[], budgets: Policy["retry_budgets"]): Route {
  const last = failures.at(-1);
  if (!last) return { go: "again" };
  const total = failures.filter((each) => each === last).length;
  if (last === "escalate") return { go: "escalate", why: "the agent asks for a person" };
  if (failures.length > budgets.max_retries_per_phase) {
    return { go: "escalate", why: `all ${budgets.max_retries_per_phase} retries of the phase are used` };
  }
  if (inARow(failures) >= budgets.same_classification_max) {
    return { go: "escalate", why: `${last} ${inARow(failures)} times in a row` };
  }
  if (total > maxOf(last, budgets)) return { go: "escalate", why: `no retry left for ${last}` };
  return { go: last === "needs_replan" ? "replan" : "again" };
}

/** Undefined when the report is a success; silence and refusal are never that. */
export function classOf(work: Outcome<Report>): FailureClass | undefined {
  if (!work.ok) return classOfFailure(work.failure);
  if (work.value.status === "COMPLETE") return undefined;
  if (work.value.status === "FAILED") return work.value.failure_classification ?? "fixable";
  return "escalate";
}

export function reasonOf(work: Outcome<Report>): string {
  if (!work.ok) return work.failure.message;
  return work.value.abstain?.reasons.join("; ") || work.value.summary || `the agent reports ${work.value.status}`;
}

/** Parallelism of later waves after one in which several phases met a passing fault. */
export function throttled(cap: number, transientPhases: number, budgets: Policy["retry_budgets"]): number {
  return transientPhases >= budgets.per_wave_transient_reduction_threshold ? Math.ceil(cap / 2) : cap;
}

function classOfFailure(failure: Failure): FailureClass {
  if (failure.class === "contract") return "fixable";
  if (failure.code === "model_unavailable") return "model_unavailable";
  return failure.class === "transient" ? "transient" : "escalate";
}

function inARow(failures: readonly FailureClass[]): number {
  const last = failures.at(-1);
  const before = failures.findLastIndex((each) => each !== last);
  return failures.length - 1 - before;
}

function maxOf(kind: FailureClass, budgets: Policy["retry_budgets"]): number {
  const by = {
    transient: budgets.transient_max,
    fixable: budgets.fixable_max,
    needs_replan: budgets.needs_replan_max,
    escalate: budgets.escalate_max,
    model_unavailable: budgets.model_unavailable_max,
  };
  return by[kind];
}
