import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { Call } from "../call.ts";
import type { TriedCheck } from "./trial.ts";
import { formatTrial } from "./trial-lines.ts";

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
// The functions under test read no other field of a call.
const call = { paint: PLAIN, width: 400 } as Call;
const said = (...checks: readonly TriedCheck[]) =>
  formatTrial(call, { commit: "c", preparedMs: 0, checks, printed: [] }).join("\n");
const CAVEAT = "passed without reporting tests; a run here ends with that caveat";

test("a check that passes without tests names the resulting caveat and its fix", () => {
  for (const more of [{}, tests(0)]) {
    const text = said(tried("test", more), tried("lint"));
    expect(text).toMatch(new RegExp(`✓ +test .*${CAVEAT}`));
    expect(text).not.toMatch(new RegExp(`lint .*${CAVEAT}`));
    expect(text).toContain("fix: use a test runner whose report can be read");
  }
});

test("without a test command, every passed check carries the caveat", () => {
  expect(said(tried("lint"), tried("build", { outcome: "failed" }))).toMatch(new RegExp(`lint .*${CAVEAT}`));
});

test("one check that reports tests removes the caveat", () => {
  const text = said(tried("test", tests(3)), tried("lint"));
  expect(text).not.toContain("no tests");
  expect(text).not.toContain("fix:");
});
