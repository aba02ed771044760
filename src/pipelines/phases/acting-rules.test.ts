import { describe, expect, it } from "vitest";
import { nextWave } from "./acting.ts";
import { COMPLETE, PREFLECT } from "./acting-rules.ts";
import { commitMessage } from "./closing.ts";
import { ownerOf } from "./completion.ts";
import { onlyChange } from "./phase.ts";
import { phase, plan } from "./plan.fixture.ts";
import { kindOf } from "./plan-rules.ts";

describe("a phase", () => {
  const [first, second] = plan({ phases: [phase(1, { destructive: true }), phase(2, { dependencies: [1] })] }).phases;
  if (!first || !second) throw new Error("the plan has two");
  const ready = (each: typeof first, approved: number[], done: number[]) =>
    PREFLECT.map((rule) => rule.judge({ phase: each, approved, done })).every((judgement) => judgement.passed);

  it("[P-19] waits for what it depends on", () => {
    expect(ready(second, [], [])).toBe(false);
    expect(ready(second, [], [1])).toBe(true);
  });

  it("[P-20] does not start destructive work without approval", () => {
    expect(ready(first, [], [])).toBe(false);
    expect(ready(first, [1], [])).toBe(true);
  });

  const report = { status: "COMPLETE" as const, summary: "" };
  const evidence = { passed: true, checks: [], regressions: [] };
  const verdict = { validated_blocking_issues: [] };
  const complete = (about: object) =>
    COMPLETE.every((rule) => rule.judge({ kind: "code", report, evidence, verdict, ...about }).passed);

  it("[P-23] is complete only with build evidence where it changes code", () => {
    expect(complete({})).toBe(true);
    expect(complete({ evidence: undefined })).toBe(false);
    expect(complete({ evidence: undefined, kind: "docs" })).toBe(true);
  });

  it("[P-24] is blocked by confirmed issues only, and is not complete unreviewed", () => {
    const issue = { severity: "MAJOR" as const, description: "d", file: "f" };
    expect(complete({ verdict: { validated_blocking_issues: [issue] } })).toBe(false);
    expect(complete({ verdict: undefined })).toBe(false);
    expect(complete({ verdict: undefined, evidence: undefined, kind: "read-only" })).toBe(true);
  });

  it("has the kind of its executor", () => {
    expect(kindOf({ executor_agent: "TechnicalWriter-subagent", files: [] })).toBe("docs");
    expect(kindOf({ executor_agent: "Researcher", files: [] })).toBe("read-only");
  });

  it("[P-51] may be replanned alone", () => {
    const before = plan();
    const changed = plan({ phases: [phase(1, { objective: "other" }), phase(2)] });
    expect(onlyChange(before, changed, 1)?.objective).toBe("other");
    expect(onlyChange(before, changed, 2)).toBeUndefined();
  });

  it("starts with all open phases of the lowest wave", () => {
    const three = plan({ phases: [phase(1), phase(2, { wave: 1 }), phase(3)] });
    expect(nextWave(three, []).map((each) => each.phase_id)).toEqual([1, 2]);
    expect(nextWave(three, [1]).map((each) => each.phase_id)).toEqual([2]);
    expect(nextWave(three, [1, 2, 3])).toEqual([]);
  });
});

describe("the end", () => {
  it("the highest phase that owns a file fixes it", () => {
    const shared = { files: [{ path: "a", action: "modify" }] };
    expect(ownerOf(plan({ phases: [phase(1, shared), phase(2, shared)] }), "a")?.phase_id).toBe(2);
    expect(ownerOf(plan(), "nobody")).toBeUndefined();
  });

  it("[P-80] the message has a prefix, no phase number and a short subject", () => {
    const message = (task_title: string) => commitMessage(plan({ task_title }));
    expect(message("Add parts of phase 2")).toBe("feat: Add parts of");
    expect(message("fix: the door")).toBe("fix: the door");
    expect(message("x".repeat(80))).toBe(`feat: ${"x".repeat(50)}`);
  });
});
