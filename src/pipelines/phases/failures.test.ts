import { describe, expect, it } from "vitest";
import type { Outcome } from "../../core/failure.ts";
import { Report } from "./contracts.ts";
import { classOf, routeOf, throttled } from "./failures.ts";
import { Policy } from "./policy.ts";

const ok = <T>(value: T): Outcome<T> => ({ ok: true, value });

describe("failure routing", () => {
  const budgets = Policy.parse({}).retry_budgets;
  const go = (...failures: Parameters<typeof routeOf>[0]) => routeOf(failures, budgets).go;

  it("[P-28] gives each class its own number of retries", () => {
    expect(go("transient", "transient")).toBe("again");
    expect(go("fixable")).toBe("again");
    expect(go("fixable", "transient", "fixable")).toBe("escalate");
    expect(go("needs_replan")).toBe("replan");
    expect(go("needs_replan", "fixable", "needs_replan")).toBe("escalate");
    expect(go("escalate")).toBe("escalate");
    expect(go("model_unavailable", "model_unavailable")).toBe("again");
  });

  it("[P-29] the third of a kind in a row and the sixth failure of all escalate", () => {
    expect(go("transient", "transient", "transient")).toBe("escalate");
    expect(go("transient", "fixable", "transient", "needs_replan", "transient")).toBe("again");
    expect(go("transient", "fixable", "transient", "needs_replan", "transient", "model_unavailable")).toBe("escalate");
  });

  it("[P-30] silence is never success", () => {
    const silent = { ok: false, failure: { class: "transient", code: "empty", message: "nothing" } } as const;
    expect(classOf(silent)).toBe("transient");
    expect(classOf(ok(Report.parse({ status: "ABSTAIN" })))).toBe("escalate");
    expect(classOf(ok(Report.parse({ status: "COMPLETE" })))).toBeUndefined();
  });

  it("[P-31] two phases with transient failures halve later waves, rounded up", () => {
    expect(throttled(4, 2, budgets)).toBe(2);
    expect(throttled(5, 2, budgets)).toBe(3);
    expect(throttled(4, 1, budgets)).toBe(4);
  });
});
