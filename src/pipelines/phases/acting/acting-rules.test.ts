import { describe, expect, it } from "vitest";
import type { CheckOutcome } from "../../../core/checks/outcome/outcome.ts";
import { createPhase, createPlan } from "../planning/plan.fixture.ts";
import { Phase } from "../planning/plan.ts";
import { getPhaseKind } from "../planning/plan-rules.ts";
import { listAdvisory } from "../review/findings.ts";
import { createTodos } from "../todo.ts";
import {
  COMPLETE_RULES,
  COMPLETION_RULES,
  type CompletionFacts,
  classifyPreflectMiss,
  HIGH_RISK_RULE,
  type PhaseFacts,
  PREFLECT_RULES,
  type PreflectInput,
  REVIEW_RULE,
} from "./acting-rules.ts";

const two = createPlan({ phases: [createPhase(1), createPhase(2, { dependencies: [1] })] });
const at = (id: number): Phase => two.phases.find((each) => each.phase_id === id) ?? fail();
const fail = (): never => {
  throw new Error("there is no such phase");
};

describe("the files of a phase", () => {
  it.each(["./src/a.ts", "src//a.ts", "src/../src/a.ts", "/src/a.ts", "src/**", "src/"])(
    "[P-22] have one normalized spelling, so that no two phases can share one unnoticed: %s",
    (path) => {
      expect(Phase.safeParse(createPhase(1, { files: [{ path, action: "modify" }] })).success).toBe(false);
      expect(Phase.safeParse(createPhase(1, { files: [{ path: "app/[id]/page.ts", action: "modify" }] })).success).toBe(
        true,
      );
    },
  );
});

describe("PreFlect", () => {
  const ready: PreflectInput = {
    phase: at(2),
    approved: ["src/2.ts"],
    problems: [],
    complete: [1],
    todo: createTodos(two, [1]),
    risks: [],
    confirmed: false,
  };
  const judge = (about: Partial<PreflectInput>) => {
    const all = PREFLECT_RULES.map((rule) => rule.judge({ ...ready, ...about }));
    const findings = all.flatMap((each) => each.findings ?? []);
    const blocked = all.some((each) => each.blocked === true);
    if (all.every((each) => each.passed)) return "GO";
    return blocked ? "BLOCKED" : classifyPreflectMiss({ findings });
  };

  it("[P-19] GO if scope, payload, dependencies and risks are in order", () => {
    expect(judge({})).toBe("GO");
  });

  it("[P-19] a file that was not approved goes back to the planner", () => {
    expect(judge({ approved: ["src/other.ts"] })).toBe("REPLAN");
  });

  it("[P-19] an invalid payload goes back to the planner", () => {
    expect(judge({ problems: ["CoreImplementer: scope: too small"] })).toBe("REPLAN");
  });

  it("[P-19] a dependency without evidence is ABSTAIN", () => {
    expect(judge({ complete: [] })).toBe("ABSTAIN");
  });

  it("[P-19] something destructive that nobody approved is BLOCKED", () => {
    expect(judge({ risks: ["drop_table"] })).toBe("BLOCKED");
    expect(judge({ risks: ["drop_table"], confirmed: true })).toBe("GO");
  });

  it("[P-20] a destructive phase passes only with a person's approval", () => {
    const rule = PREFLECT_RULES.find(({ id }) => id === "P-20");
    const passes = (confirmed: boolean) => rule?.judge({ ...ready, risks: ["rm_rf"], confirmed }).passed;
    expect([passes(false), passes(true)]).toEqual([false, true]);
  });

  it("[P-52] the approval gate blocks until a person has confirmed", () => {
    expect(HIGH_RISK_RULE.judge({ risks: ["rm_rf"], confirmed: false })).toMatchObject({
      passed: false,
      blocked: true,
    });
    expect(HIGH_RISK_RULE.judge({ risks: ["rm_rf"], confirmed: true })).toEqual({ passed: true });
  });

  it("[P-26] no phase starts while a todo of an earlier wave is open", () => {
    expect(judge({ todo: createTodos(two, []) })).toBe("ABSTAIN");
    expect(judge({ todo: createTodos(two, [1]) })).toBe("GO");
  });
});

describe("a finished phase", () => {
  const check = (name: string, outcome: CheckOutcome = "passed") => ({
    name,
    outcome,
    passed: outcome === "passed",
    exitCode: 0,
    snippet: "",
  });
  const green = { checks: [check("build"), check("test"), check("lint")] };
  const verdict = { issues: [], validated_blocking_issues: [] };
  const done: PhaseFacts = {
    kind: "code",
    work: { due: true, changed: ["src/1.ts"] },
    evidence: green,
    verdict,
    todo: true,
  };
  const misses = (about: Partial<PhaseFacts>) =>
    COMPLETE_RULES.filter((rule) => !rule.judge({ ...done, ...about }).passed).map(({ id }) => id);
  const checks = (...given: ReturnType<typeof check>[]) => ({ evidence: { checks: given } });

  it("[P-23] is complete only if the engine saw the build pass", () => {
    expect(misses({})).toEqual([]);
    expect(misses({ evidence: undefined })).toContain("P-23/build");
    expect(misses(checks(check("build", "failed"), check("test")))).toContain("P-23/build");
    expect(misses(checks(check("build", "flaky"), check("test")))).toContain("P-23/build");
  });

  it("[P-23] without a build command is complete only if the policy accepts that", () => {
    const unbuilt = checks(check("test"), check("lint"));
    expect(misses(unbuilt)).toEqual(["P-23/build"]);
    expect(misses({ ...unbuilt, unbuiltBy: "the policy" })).toEqual([]);
  });

  it("[P-25] code needs tests, build, lint, review and todo", () => {
    expect(misses(checks(check("build"), check("test", "regression")))).toEqual(["P-25/tests"]);
    expect(misses(checks(check("build"), check("test"), check("lint", "failed")))).toEqual(["P-25/lint"]);
    expect(misses({ verdict: undefined })).toEqual(["P-24"]);
    expect(misses({ todo: false })).toEqual(["P-25/todo"]);
  });

  it("[P-25] documentation and browser runs need review and todo", () => {
    const docs = { kind: "docs", evidence: undefined } as const;
    expect(misses(docs)).toEqual([]);
    expect(misses({ ...docs, verdict: undefined })).toEqual(["P-24"]);
    expect(misses({ ...docs, todo: false })).toEqual(["P-25/todo"]);
    expect(getPhaseKind({ executor_agent: "TechnicalWriter-subagent", files: [] })).toBe("docs");
    expect(getPhaseKind({ executor_agent: "BrowserTester", files: [] })).toBe("docs");
  });

  it("[P-25] a read-only phase needs only its todo", () => {
    const reads = { kind: "read-only", evidence: undefined, verdict: undefined } as const;
    expect(misses(reads)).toEqual([]);
    expect(misses({ ...reads, todo: false })).toEqual(["P-25/todo"]);
    expect(getPhaseKind({ executor_agent: "Researcher", files: [] })).toBe("read-only");
  });

  it("[P-24] is blocked only by confirmed issues; the rest is advice", () => {
    const issue = { severity: "MAJOR" as const, description: "unchecked input", file: "src/1.ts" };
    const raw = { issues: [issue], validated_blocking_issues: [] };
    expect(misses({ verdict: { issues: [issue], validated_blocking_issues: [issue] } })).toEqual(["P-24"]);
    expect(misses({ verdict: raw })).toEqual([]);
    expect(listAdvisory(raw)).toMatchObject([{ severity: "minor", message: "unchecked input" }]);
  });

  it("[P-30] without changed files is not complete", () => {
    expect(misses({ work: { due: true, changed: [] } })).toEqual(["P-30"]);
    expect(misses({ failed: "nothing was said" })).toEqual(["P-30"]);
  });

  it("[P-24] without a review names the person who accepted it", () => {
    const nothing = { issues: [], validated_blocking_issues: [] };
    const about = { kind: "code" as const, todo: true };
    expect(REVIEW_RULE.judge({ ...about, verdict: nothing })).toEqual({ passed: true, findings: [] });
    expect(REVIEW_RULE.judge({ ...about, verdict: { ...nothing, accepted_by: "Ada" } })).toMatchObject({
      passed: true,
      findings: [{ message: "not reviewed: accepted unreviewed by Ada" }],
    });
    expect(REVIEW_RULE.judge(about).passed).toBe(false);
  });
});

describe("the whole work", () => {
  const whole: CompletionFacts = {
    plan: createPlan({ contracts: [{ from_phase: 1, to_phase: 2, interface: "greet(name)" }] }),
    changed: ["src/1.ts", "src/2.ts"],
    present: ["src/1.ts", "src/2.ts"],
    explained: [],
    complete: [1, 2],
    todo: createTodos(two, [1, 2]),
    evidence: { checks: [], regressions: [] },
    issues: [],
  };
  const wrong = (about: Partial<CompletionFacts>) =>
    COMPLETION_RULES.map((rule) => ({ id: rule.id, ...rule.judge({ ...whole, ...about }) }))
      .filter(({ passed }) => !passed)
      .map(({ id, findings }) => `${id} ${findings?.[0]?.message ?? ""}`);

  it("[P-38] has every planned file, or a report explains why not", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ present: ["src/1.ts"] })).toEqual(["P-38/present src/2.ts was planned and is missing"]);
    expect(wrong({ present: ["src/1.ts"], explained: ["src/2.ts"] })).toEqual([]);
  });

  it("[P-38] changes no file outside the plan", () => {
    expect(wrong({ changed: ["src/1.ts", "src/stray.ts"] })).toEqual(["P-38/inside src/stray.ts is not in the plan"]);
  });

  it("[P-38] has both phases of every contract complete", () => {
    expect(wrong({ complete: [1] })).toEqual(["P-38/contracts greet(name): phase 2 is not complete"]);
  });

  it("[P-65] has every todo complete", () => {
    expect(wrong({ todo: createTodos(two, [1]) })).toEqual(["P-65 still open: Phase 2 — Part 2"]);
  });

  it("[P-67] has no serious issue confirmed by the final review", () => {
    expect(wrong({ issues: [{ severity: "major", message: "it leaks" }] })).toEqual(["P-67 it leaks"]);
  });
});
