import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { Call } from "../call.ts";
import type { TriedCheck } from "./trial.ts";
import { trialLines } from "./trial-lines.ts";

const tried = (name: string, more: Partial<TriedCheck> = {}): TriedCheck => ({
  name,
  run: `./run-${name}`,
  outcome: "passed",
  because: "",
  ms: 10,
  cure: [],
  ...more,
});
const tests = (total: number) => ({ tests: { total, passed: total, failed: 0, skipped: 0, source: "tap" } });
// Nothing else of a call is looked at.
const call = { paint: PLAIN, width: 400 } as Call;
const said = (...checks: readonly TriedCheck[]) =>
  trialLines(call, { commit: "c", preparedMs: 0, checks, printed: [] }).join("\n");
const CAVEAT = "passed; it reported no tests, so a run here ends with that caveat";

test("a check that passes without a test says what a run will end with, and what helps", () => {
  for (const more of [{}, tests(0)]) {
    const text = said(tried("test", more), tried("lint"));
    expect(text).toMatch(new RegExp(`✓ +test .*${CAVEAT}`));
    expect(text).not.toMatch(new RegExp(`lint .*${CAVEAT}`));
    expect(text).toContain("what helps: a test program whose report can be read");
  }
});

test("where no command is a test, those that passed say so", () => {
  expect(said(tried("lint"), tried("build", { outcome: "failed" }))).toMatch(new RegExp(`lint .*${CAVEAT}`));
});

test("where one check reports tests, nobody speaks of the caveat", () => {
  const text = said(tried("test", tests(3)), tried("lint"));
  expect(text).not.toContain("no tests");
  expect(text).not.toContain("what helps");
});
