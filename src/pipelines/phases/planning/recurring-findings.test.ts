import { describe, expect, it } from "vitest";
import { Audit, Mirages } from "../contracts.ts";
import { createReply } from "./plan.fixture.ts";
import {
  EMPTY_HISTORY,
  findRegressions,
  type ReviewHistory,
  traceFindings,
  updateHistory,
} from "./recurring-findings.ts";

const audit = (more: object) => Audit.parse(createReply("PlanAuditor", { status: "NEEDS_REVISION", ...more }));
const finding = (description: string, more: object = {}) => ({ severity: "MINOR", description, ...more });
const found = (...findings: object[]) => audit({ findings });
const mirages = (claim: string, more: object = {}) =>
  Mirages.parse(
    createReply("AssumptionVerifier", { status: "COMPLETE", mirage_findings: [{ severity: "MINOR", claim, ...more }] }),
  );
/** The history after these audits, one per iteration. */
const createHistory = (...audits: Audit[]): ReviewHistory =>
  audits.reduce((past, each, at) => updateHistory(past, { audit: each }, at + 1), EMPTY_HISTORY);

describe("a finding", () => {
  it("[P-16] that recurs names its first iteration and id", () => {
    const past = createHistory(found(finding("one"), finding("No rollback")));
    expect(traceFindings({ audit: found(finding("no  rollback"), finding("two")) }, past, 2)).toMatchObject([
      { id: "PA-2.1", regression_iteration: 1, regression_finding_id: "PA-1.2" },
      { id: "PA-2.2" },
    ]);
    expect(traceFindings({ audit: found(finding("two")) }, past, 2)[0]).not.toHaveProperty("regression_iteration");
  });

  it("[P-16] keeps the lineage that the reviewer gives", () => {
    const given = finding("other words", { regression_iteration: 1, regression_finding_id: "PA-1.1" });
    expect(traceFindings({ audit: found(given) }, createHistory(found(finding("one"))), 2)).toMatchObject([given]);
  });

  it("[P-16] of the assumption verifier is traced like any other", () => {
    const past = updateHistory(EMPTY_HISTORY, { mirages: mirages("there is an API") }, 1);
    expect(traceFindings({ mirages: mirages("there is an API") }, past, 2)).toMatchObject([
      { by: "AssumptionVerifier", regression_iteration: 1, regression_finding_id: "AV-1.1" },
    ]);
  });
});

describe("a regression", () => {
  it("[P-15] is a finding that was gone and is back, whatever its severity", () => {
    const past = createHistory(found(finding("one")), found());
    expect(findRegressions({ audit: found(finding("one")) }, past)).toEqual(["is back: one"]);
  });

  it("[P-15] is not a finding that was never repaired", () => {
    expect(findRegressions({ audit: found(finding("one")) }, createHistory(found(finding("one"))))).toEqual([]);
  });

  it("[P-15] is any finding that a reviewer marks as one", () => {
    const marked = finding("one", { regression_iteration: 1 });
    expect(findRegressions({ audit: found(marked) }, EMPTY_HISTORY)).toEqual(["is back: one"]);
    expect(
      findRegressions({ mirages: mirages("an API", { regression_finding_id: "AV-1.1" }) }, EMPTY_HISTORY),
    ).toHaveLength(1);
  });

  it("[P-15] is a task that was executable and no longer is", () => {
    const tasks = (executable: boolean) => audit({ executability_checklist: [{ task_id: "1.1", executable }] });
    expect(findRegressions({ audit: tasks(false) }, createHistory(tasks(true)))).toEqual([
      "is no longer executable: 1.1",
    ]);
    expect(findRegressions({ audit: tasks(true) }, createHistory(tasks(true)))).toEqual([]);
    expect(findRegressions({ audit: tasks(false) }, createHistory(tasks(false)))).toEqual([]);
  });

  it("[P-15] is not what was not reviewed: an abstention leaves the history unchanged", () => {
    const past = createHistory(audit({ verified_items: [{ item_id: "tests" }] }));
    expect(updateHistory(past, {}, 2)).toEqual(past);
    expect(findRegressions({}, past)).toEqual([]);
  });
});
