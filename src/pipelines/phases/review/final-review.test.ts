import { describe, expect, it } from "vitest";
import { phase, plan } from "../planning/plan.fixture.ts";
import { Policy } from "../policy.ts";
import { filesIn, finalReviewActive, fixesFor, ownerOf, reportedFiles, wordsOf } from "./final-review.ts";

const nothing = { changes: [], ui_changes: [], docs_created: [], docs_updated: [] };
const shared = { files: [{ path: "a", action: "modify" }] };

describe("the final review", () => {
  const active = (gate: object, tier: string, finalReview = false) =>
    finalReviewActive(
      { policy: Policy.parse({ final_review_gate: gate }), finalReview },
      plan({ complexity_tier: tier, phases: [phase(1), phase(2), phase(3)] }),
    );

  it("[P-66] is active by default, by tier, or because a person asked", () => {
    expect(active({}, "SMALL")).toBe(false);
    expect(active({ enabled_by_default: true }, "SMALL")).toBe(true);
    expect(active({}, "LARGE")).toBe(true);
    expect(active({ auto_trigger_tiers: ["SMALL"] }, "SMALL")).toBe(true);
    expect(active({}, "SMALL", true)).toBe(true);
    expect(active({ allow_user_trigger: false }, "SMALL", true)).toBe(false);
  });

  it("[P-66] gets every reported file once, under whatever name its executor reports it", () => {
    const report = {
      changes: [{ file: "core.ts", summary: "" }],
      ui_changes: [{ file: "ui.tsx", component: "", summary: "" }],
      docs_created: [{ path: "new.md", title: "" }],
      docs_updated: [{ path: "old.md", changes: "" }],
    };
    expect(filesIn(report)).toEqual(["core.ts", "ui.tsx", "new.md", "old.md"]);
    const again = { ...nothing, changes: [{ file: "core.ts", summary: "" }] };
    expect(reportedFiles([report, again])).toEqual(["core.ts", "ui.tsx", "new.md", "old.md"]);
  });

  it("is told what the work was sent back with, not what checks had printed then", () => {
    const red = { severity: "major" as const, message: "test fails now", tests: ["greets"], output: "1 failed" };
    expect(wordsOf(red)).toEqual({ severity: "major", message: "test fails now" });
  });

  it("[P-39] sends an issue to the highest phase that owns the file", () => {
    expect(ownerOf(plan({ phases: [phase(1, shared), phase(2, shared)] }), "a")?.phase_id).toBe(2);
  });

  it("[P-67] leaves an issue that no phase owns to a person", () => {
    const issue = { severity: "major" as const, message: "it leaks", files: ["b"] };
    expect(fixesFor(plan({ phases: [phase(1, shared)] }), [issue])).toEqual({ owned: new Map(), unowned: [issue] });
  });

  it("[P-67] is never fixed by the reviewer", () => {
    const readers = plan({ phases: [phase(1, shared), phase(2, { ...shared, executor_agent: "CodeReviewer" })] });
    expect(ownerOf(readers, "a")?.phase_id).toBe(1);
  });
});
