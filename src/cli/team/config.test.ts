import { expect, test } from "vitest";
import { AgentLabels } from "./config.ts";

test.each(["gpu", "memory:16", "pipeline:task@0123456789ab", `serial:${"9".repeat(15)}`])("%s is a label", (label) => {
  expect(AgentLabels.safeParse([label]).success).toBe(true);
});

test.each([
  ["too many digits", `memory:${"9".repeat(16)}`],
  ["a text that is too long", "a".repeat(101)],
  ["two colons", "a:b:c"],
])("%s is not a label", (_what, label) => {
  expect(AgentLabels.safeParse([label]).success).toBe(false);
});

test("at most a hundred labels are accepted", () => {
  const labels = (count: number) => Array.from({ length: count }, (_, n) => `l${n}`);
  expect(AgentLabels.safeParse(labels(100)).success).toBe(true);
  expect(AgentLabels.safeParse(labels(101)).success).toBe(false);
});
