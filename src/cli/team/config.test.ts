import { expect, test } from "vitest";
import { AgentLabels } from "./config.ts";

test.each(["gpu", "memory:16", "pipeline:task@0123456789ab", `serial:${"9".repeat(15)}`])("%s is a label", (label) => {
  expect(AgentLabels.safeParse([label]).success).toBe(true);
});

test.each([
  ["more digits than a number has", `memory:${"9".repeat(16)}`],
  ["a text without end", "a".repeat(101)],
  ["two colons", "a:b:c"],
])("%s is none", (_what, label) => {
  expect(AgentLabels.safeParse([label]).success).toBe(false);
});

test("there are at most a hundred of them", () => {
  const labels = (count: number) => Array.from({ length: count }, (_, n) => `l${n}`);
  expect(AgentLabels.safeParse(labels(100)).success).toBe(true);
  expect(AgentLabels.safeParse(labels(101)).success).toBe(false);
});
