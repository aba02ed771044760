import { expect, test } from "vitest";
import { removeDurations } from "./remove-durations.ts";

test("evidence in a committed document contains no durations, neither of checks nor inside quoted findings", () => {
  const finding = {
    severity: "major",
    message: "test fails",
    by: "check",
    output: "✖ adds\nTests 1 failed (312 ms)",
  } as const;
  const check = { name: "test", passed: false, exitCode: 1, snippet: "ℹ duration_ms 41.2", outcome: "failed" } as const;
  const seen = { tree: "t", passed: false, checks: [check], tamper: [], notRun: [] };
  const { checks, regressions, findings } = removeDurations({ ...seen, regressions: [finding], findings: [finding] });
  expect(checks[0]?.snippet).toBe("ℹ duration_ms …");
  expect(regressions).toEqual(findings);
  expect(findings[0]?.output).toBe("✖ adds\nTests 1 failed (… ms)");
});
