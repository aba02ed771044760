import { expect, test } from "vitest";
import { Policy } from "./policy.ts";

const wrong = (given: unknown) =>
  Policy.safeParse(given).error?.issues.map(({ path, message }) => [path.join("."), message]);

test("[P-46] an empty policy has the default values", () => {
  const policy = Policy.parse({});
  expect(policy.max_iterations_by_tier).toEqual({ TRIVIAL: 2, SMALL: 2, MEDIUM: 5, LARGE: 5 });
  expect(policy.plan_review_gate_trigger_conditions).toMatchObject({ min_phases: 3, confidence_threshold: 0.9 });
  expect(policy.stagnation_detection).toMatchObject({ min_iterations: 3, min_improvement_points: 5 });
  expect(policy.approval_required_actions).toHaveLength(9);
  expect(policy.max_parallel_agents).toBe(10);
});

test("[P-46] one setting can be set alone; its siblings keep their values", () => {
  const policy = Policy.parse({ max_iterations_by_tier: { SMALL: 4 } });
  expect(policy.max_iterations_by_tier).toEqual({ TRIVIAL: 2, SMALL: 4, MEDIUM: 5, LARGE: 5 });
});

test("[P-46] settings with one allowed value can be written down but not changed", () => {
  const SAME = {
    review_pipeline_by_tier: { LARGE: { code_review: true } },
    stagnation_detection: { same_classification_repeat_escalation: true },
    batch_approval: { exception_destructive_phases: "per_phase" },
    session_telemetry: { log_file: "plans/session-outcomes.md", write_timing: "before_completion_summary" },
    compaction: { circuit_breaker_action: "escalate" },
  };
  expect(wrong(SAME)).toBeUndefined();
  expect(wrong({ session_telemetry: { log_file: "log.md" } })?.[0]?.[0]).toBe("session_telemetry.log_file");
  expect(wrong({ batch_approval: { exception_destructive_phases: "never" } })).toHaveLength(1);
});

test("[P-46] an unknown key is refused by name at any depth", () => {
  expect(wrong({ max_paralel_agents: 2 })).toEqual([["", expect.stringContaining("max_paralel_agents")]]);
  expect(wrong({ retry_budgets: { fixable_maximum: 2 } })).toEqual([
    ["retry_budgets", expect.stringContaining("fixable_maximum")],
  ]);
});

test("[P-46] a wrong type or a number out of range is refused by name", () => {
  expect(wrong({ max_parallel_agents: "many" })?.[0]?.[0]).toBe("max_parallel_agents");
  expect(wrong({ max_parallel_agents: 11 })?.[0]?.[0]).toBe("max_parallel_agents");
  expect(wrong({ max_iterations_by_tier: { LARGE: 0 } })?.[0]?.[0]).toBe("max_iterations_by_tier.LARGE");
  expect(wrong({ plan_review_gate_trigger_conditions: { confidence_threshold: 9 } })?.[0]?.[0]).toBe(
    "plan_review_gate_trigger_conditions.confidence_threshold",
  );
});

test("[P-46] sections that no program needs are accepted, and money limits that would not be enforced are refused", () => {
  const said = {
    tool_output_policy: { spill_dir: ".cache/tool-output" },
    session_telemetry: { template: "x.md", archive_threshold_entries: 50 },
    memory_hygiene: { notes_md_max_lines: 20, archive_threshold_days: 14 },
    budget_defaults: { enabled: false, token_cap: null },
  };
  expect(Policy.safeParse(said).success).toBe(true);
  const enabled = Policy.safeParse({ budget_defaults: { enabled: true } });
  expect(enabled.error?.issues[0]?.path).toEqual(["budget_defaults", "enabled"]);
});
