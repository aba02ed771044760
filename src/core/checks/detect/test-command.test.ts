import { expect, test } from "vitest";
import { isTestCommand } from "./test-command.ts";

test.each([
  ["test", "node run.js"],
  ["unit-tests", "./ci.sh"],
  ["check", "npx vitest run"],
  ["all", "xo && c8 ava"],
  ["verify", "python3 -m pytest -q"],
])("%s: %s runs tests", (name, run) => {
  expect(isTestCommand({ name, run })).toBe(true);
});

test.each([
  ["lint", "biome check ."],
  ["build", "tsc -p ."],
  ["latest", "node latest.js"],
])("%s: %s runs none", (name, run) => {
  expect(isTestCommand({ name, run })).toBe(false);
});
