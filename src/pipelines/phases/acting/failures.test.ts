import { describe, expect, it } from "vitest";
import type { Failure } from "../../../core/failure/failure.ts";
import { createReply } from "../planning/plan.fixture.ts";
import { Policy } from "../policy.ts";
import {
  classifyFailure,
  classifyReport,
  computeWaveCap,
  createRetry,
  getReportFault,
  listDispatchFaults,
  routeFailures,
  toTransientFailure,
} from "./failures.ts";
import type { FailureClass } from "./reply.ts";

const policy = Policy.parse({});
const budgets = policy.retry_budgets;
const go = (...failures: readonly FailureClass[]) => routeFailures(failures, policy).go;
const failure = (code: string, kind: Failure["class"] = "transient"): Failure => ({
  class: kind,
  code,
  message: `it failed: ${code}`,
});
/** Only the fields that routing reads. */
const report = (status: string, more: object = {}) =>
  ({ ...createReply("CoreImplementer", { status }), summary: "", ...more }) as Parameters<typeof classifyReport>[0] & {
    summary: string;
  };

describe("failure routing", () => {
  it("[P-28] transient is retried twice in a row and three times in total", () => {
    expect(go("transient", "transient")).toBe("again");
    expect(go("transient", "transient", "fixable", "transient")).toBe("again");
    expect(go("transient", "transient", "fixable", "transient", "needs_replan", "transient")).toBe("escalate");
  });

  it("[P-28] model_unavailable is retried twice, fixable once", () => {
    expect(go("model_unavailable", "model_unavailable")).toBe("again");
    expect(go("model_unavailable", "transient", "model_unavailable", "transient", "model_unavailable")).toBe(
      "escalate",
    );
    expect(go("fixable")).toBe("again");
    expect(go("fixable", "transient", "fixable")).toBe("escalate");
  });

  it("[P-28] needs_replan goes to the planner once, escalate goes to a person immediately", () => {
    expect(go("needs_replan")).toBe("replan");
    expect(go("needs_replan", "fixable", "needs_replan")).toBe("escalate");
    expect(go("escalate")).toBe("escalate");
  });

  it("[P-29] the third failure of one class in a row escalates, whatever its budget", () => {
    expect(go("transient", "transient", "transient")).toBe("escalate");
    expect(routeFailures(["transient", "transient", "transient"], policy)).toMatchObject({
      why: "transient 3 times in a row",
    });
  });

  it("[P-29] the sixth failure of a phase escalates, whatever its class", () => {
    const five: FailureClass[] = ["transient", "fixable", "transient", "needs_replan", "transient"];
    expect(go(...five)).toBe("again");
    expect(routeFailures([...five, "model_unavailable"], policy)).toEqual({
      go: "escalate",
      why: "all 5 retries of the phase are used",
    });
  });

  it("[P-76] the reason of a failed report is found in any of its fields", () => {
    const failed = { status: "FAILED", failure_classification: "fixable" };
    const reason = (more: object) =>
      getReportFault({ ok: true, value: report("FAILED", { ...failed, ...more }) })[0]?.reason;
    expect(reason({ summary: "no such module" })).toBe("no such module");
    expect(reason({ build: { state: "FAIL", details: "line 3: no such module" } })).toBe("line 3: no such module");
    expect(reason({})).toBe("the agent reports FAILED");
  });

  it.each(["agent_silent", "agent_timeout", "rate_limit"])(
    "[P-30] %s is a failure that is retried, never success",
    (code) => {
      expect(classifyFailure(failure(code))).toBe("transient");
      expect(listDispatchFaults({ ok: false, failure: failure(code) })).toHaveLength(1);
      expect(createRetry([], policy)([failure(code)])).toMatchObject({ again: true });
    },
  );

  it("[P-30] an empty reply counts as silence, not as an answer that can be repaired", () => {
    const empty = { ...failure("contract_missing", "contract"), last: " \n" };
    expect(classifyFailure(empty)).toBe("transient");
    expect(createRetry([], policy)([empty])).toMatchObject({ again: true, waitMs: budgets.backoff_base_ms });
    expect(classifyFailure({ ...empty, last: "I am done." })).toBe("fixable");
  });

  it("[P-30] only COMPLETE is success", () => {
    expect(classifyReport(report("COMPLETE"))).toBeUndefined();
    expect(classifyReport(report("ABSTAIN"))).toBe("escalate");
    expect(classifyReport(report("COMPLETE", { abstain: { is_abstaining: true, reasons: [] } }))).toBe("escalate");
    expect(classifyReport(report("FAILED", { failure_classification: "needs_replan" }))).toBe("needs_replan");
  });

  it("[P-54] NEEDS_INPUT without a clarification request escalates, whatever class it names", () => {
    const asks = report("NEEDS_INPUT", { failure_classification: "transient" });
    expect(getReportFault({ ok: true, value: asks })).toMatchObject([{ class: "escalate" }]);
    expect(toTransientFailure(asks)).toBeUndefined();
  });

  it("[P-46] the policy sets how often a phase may fail the same way", () => {
    const strict = Policy.parse({ stagnation_detection: { same_phase_failure_escalation_threshold: 2 } });
    expect(routeFailures(["transient", "transient"], policy).go).toBe("again");
    expect(routeFailures(["transient", "transient"], strict).go).toBe("escalate");
  });

  it("[P-32] retry n after a transient failure waits base × 2^(n−1)", () => {
    const waits = [1, 2].map((count) => createRetry([], policy)(Array(count).fill(failure("rate_limit"))));
    expect(waits).toEqual([
      { again: true, waitMs: budgets.backoff_base_ms },
      { again: true, waitMs: budgets.backoff_base_ms * 2 },
    ]);
    const slow = Policy.parse({ retry_budgets: { backoff_base_ms: 7 } });
    expect(createRetry([], slow)([failure("rate_limit")])).toEqual({ again: true, waitMs: 7 });
  });

  it("[P-32] an agent's own transient failure also waits", () => {
    const busy = report("FAILED", { failure_classification: "transient", summary: "the database is busy" });
    expect(toTransientFailure(busy)).toEqual({
      class: "transient",
      code: "transient",
      message: "the database is busy",
    });
    expect(toTransientFailure(report("FAILED", { failure_classification: "fixable" }))).toBeUndefined();
  });

  it("[P-28] the attempts of one dispatch share the budget of their phase", () => {
    const invalid = failure("contract_invalid", "contract");
    expect(createRetry([], policy)([invalid])).toEqual({ again: true, waitMs: 0 });
    expect(createRetry(["fixable"], policy)([invalid])).toEqual({ again: false });
    expect(createRetry(["transient", "transient"], policy)([failure("rate_limit")])).toEqual({ again: false });
    expect(createRetry([], policy)([failure("auth", "deterministic")])).toEqual({ again: false });
  });

  it("[P-73] a payload that is too long uses no retry", () => {
    const refused = failure("context_full", "deterministic");
    expect(listDispatchFaults({ ok: false, failure: refused })).toEqual([]);
    expect(createRetry([], policy)([refused])).toEqual({ again: false });
  });
});

describe("throttling", () => {
  const cap = (wave: number, start: number, faulty: [number, number[]][]) =>
    computeWaveCap({ wave, start, faulty: new Map(faulty.map(([at, phases]) => [at, new Set(phases)])), budgets });

  it("[P-31] two phases with transient failures halve later waves, rounded up", () => {
    expect(cap(2, 4, [[1, [1, 2]]])).toBe(2);
    expect(cap(2, 5, [[1, [1, 2]]])).toBe(3);
    expect(cap(1, 4, [[1, [1, 2]]])).toBe(4);
  });

  it("[P-31] one phase is not enough, and each further wave halves again", () => {
    expect(cap(2, 4, [[1, [1]]])).toBe(4);
    expect(
      cap(3, 8, [
        [1, [1, 2]],
        [2, [3, 4]],
      ]),
    ).toBe(2);
  });
});
