import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { listParameters, type SqlRule } from "../../core/authoring/rule.ts";
import { LEDGER_TABLES, type LedgerRow } from "../../core/journal/ledger.ts";
import { PERSPECTIVES, Verdict } from "./contracts.ts";
import { createReviewRows } from "./roles.ts";
import {
  computeConfidence,
  countRequiredChecks,
  EG_1,
  EG_2,
  EG_3,
  EG_4,
  EG_5,
  EG_6,
  explainConfidence,
  getCommandThresholds,
  INTEGRATED,
  REVIEW,
  VERIFY,
} from "./rules.ts";

type Row = Readonly<Record<string, string | number | null>>;

const ABOUT = { run: "r1", task: "t1", round: 1, scope: "design", need: 2, green: 1 } as const;
const check = (name: string, more: Row = {}): Row => ({ phase: "after", check_name: name, passed: 1, ...more });
const baseline = (name: string, more: Row = {}): Row => check(name, { phase: "baseline", round: 0, ...more });

/** Returns what the rule counts on a ledger with these rows. */
function evaluateRule(
  rule: SqlRule,
  rows: readonly Row[],
  about: Readonly<Record<string, string | number>> = ABOUT,
): unknown {
  const db = new DatabaseSync(":memory:");
  const columns = LEDGER_TABLES.anvil_checks;
  db.exec(`CREATE TABLE anvil_checks (${columns.join(", ")})`);
  const insert = db.prepare(`INSERT INTO anvil_checks VALUES (${columns.map(() => "?").join(", ")})`);
  for (const row of rows) {
    const whole: Row = { run_id: "r1", task_id: "t1", round: 1, instance: "", ...row };
    insert.run(...columns.map((column) => whole[column] ?? null));
  }
  const inText = listParameters({ ...rule, need: 0 });
  const row = db.prepare(rule.sql).get(Object.fromEntries(inText.map((name) => [name, about[name] ?? null])));
  db.close();
  return row?.["actual"];
}

type ReviewVerdicts = Partial<Record<"security" | "architecture" | "correctness", string | null>>;

function review(instance: string, said: ReviewVerdicts = {}, more: Row = {}): Row[] {
  const verdicts = { security: "approve", architecture: "approve", correctness: "approve", ...said };
  return Object.entries(verdicts).map(([category, verdict]) => ({
    phase: "review",
    check_name: `review-design-${category}`,
    instance,
    verdict,
    passed: verdict === "approve" ? 1 : 0,
    ...more,
  }));
}
const all = (said: ReviewVerdicts = {}) => PERSPECTIVES.flatMap((name) => review(name, said));

describe("the verification gates", () => {
  it("[L-16] EG-1 counts baseline rows of this task and this run", () => {
    expect(evaluateRule(EG_1, [baseline("build")])).toBe(1);
    expect(
      evaluateRule(EG_1, [check("build"), baseline("build", { task_id: "t2" }), baseline("build", { run_id: "r0" })]),
    ).toBe(0);
  });

  it("[L-16] EG-1 takes a row for a baseline only in round 0", () => {
    expect(evaluateRule(EG_1, [baseline("build", { round: 1 })])).toBe(0);
  });

  it("[L-16] EG-2 counts different checks, not rows", () => {
    expect(evaluateRule(EG_2, [check("build", { tree: "a" }), check("build", { tree: "b" }), check("test")])).toBe(2);
  });

  it("[L-16] EG-2 counts nothing when any check of the round failed", () => {
    expect(evaluateRule(EG_2, [check("build"), check("lint"), check("test", { passed: 0 })])).toBe(0);
  });

  it("[L-16] EG-2 looks at the current round only", () => {
    expect(
      evaluateRule(EG_2, [check("build", { round: 2 }), check("test", { passed: 0 })], { ...ABOUT, round: 2 }),
    ).toBe(1);
  });

  it("[L-52] EG-2 counts a check that failed before and still fails neither as passed nor as failed", () => {
    const rows = [baseline("test", { passed: 0 }), check("build"), check("lint"), check("test", { passed: 0 })];
    expect(evaluateRule(EG_2, rows)).toBe(2);
  });

  const OWN = [check("scope"), check("tamper"), check("parses")];

  it("[L-53] EG-2 counts the engine's own checks next to a green command of the project", () => {
    expect(evaluateRule(EG_2, [...OWN, check("test")])).toBe(4);
  });

  it("[L-53] EG-2 counts nothing if only the engine's own checks are green", () => {
    expect(evaluateRule(EG_2, OWN)).toBe(0);
    expect(evaluateRule(EG_2, [...OWN, baseline("test", { passed: 0 }), check("test", { passed: 0 })])).toBe(0);
    expect(evaluateRule(EG_2, [...OWN, check("test", { round: 2 })])).toBe(0);
  });

  it("[L-53] EG-2 counts the engine's checks alone if the project has no command and a person accepted that", () => {
    expect(evaluateRule(EG_2, OWN, { ...ABOUT, green: 0 })).toBe(3);
  });

  it("[A-20] EG-2 counts nothing if a command could not run, whatever its earlier result", () => {
    const rows = [...OWN, check("build"), baseline("test", { passed: 0 }), check("test", { passed: 0 })];
    expect(evaluateRule(EG_2, [...rows, check("test-worse", { passed: 0 })])).toBe(0);
  });

  it("[L-53] a green command is required if the project has any commands", () => {
    expect(getCommandThresholds(["test"], { checks: [] })).toEqual({ baselines: 1, green: 1 });
    expect(getCommandThresholds([], { checks: [] })).toEqual({ baselines: 0, green: 0 });
  });

  it("[A-24] a command that fails only in tests that failed before counts as green; without test names it does not", () => {
    const red = { name: "test", passed: false, exitCode: 1, snippet: "", outcome: "red-before" as const };
    expect(getCommandThresholds(["test"], { checks: [red] }).green).toBe(1);
    expect(getCommandThresholds(["test"], { checks: [{ ...red, proves: true }] })).toEqual({ baselines: 1, green: 0 });
  });

  it("EG-2 returns a number for an empty ledger", () => {
    expect(evaluateRule(EG_2, [])).toBe(0);
  });

  it("[L-16] Large and red tasks need three checks, others two", () => {
    expect(countRequiredChecks({ size: "Standard", risk: "🟡" })).toBe(2);
    expect(countRequiredChecks({ size: "Large", risk: "🟢" })).toBe(3);
    expect(countRequiredChecks({ size: "Standard", risk: "🔴" })).toBe(3);
  });
});

it("[L-43] the integrated tree passes only if every check passed, even where no check got worse", () => {
  const whole = { passed: false, regressions: [], tamper: [], findings: [], checks: [] };
  expect(INTEGRATED.judge({ whole, findings: [] }).passed).toBe(false);
  expect(INTEGRATED.judge({ whole: { ...whole, passed: true }, findings: [] }).passed).toBe(true);
});

describe("[A-16] a weakened check", () => {
  const SEEN = { regressions: [], tamper: [], findings: [], checks: [] };
  const tamper = [{ severity: "critical" as const, message: "a test was skipped", by: "tamper" }];

  it("refuses the verification of its task, whatever the verifier reports", () => {
    const [, , verified] = VERIFY;
    const said = { status: "DONE", findings: [] };
    expect(verified.judge({ said, evidence: SEEN }).passed).toBe(true);
    expect(verified.judge({ said, evidence: { ...SEEN, tamper } })).toEqual({
      passed: false,
      findings: tamper,
    });
  });

  it("[L-41] a DONE with a finding above minor sends the task back, one with a minor finding does not", () => {
    const [, , verified] = VERIFY;
    const judge = (severity: "critical" | "major" | "minor") =>
      verified.judge({
        said: { status: "DONE", findings: [{ severity, message: "AC-2 has no test" }] },
        evidence: SEEN,
      });
    expect(judge("critical").passed).toBe(false);
    expect(judge("major").passed).toBe(false);
    expect(judge("minor").passed).toBe(true);
  });

  it("refuses the integrated tree although every check is green", () => {
    const whole = { passed: true, ...SEEN };
    expect(INTEGRATED.judge({ whole, findings: [] }).passed).toBe(true);
    expect(INTEGRATED.judge({ whole: { ...whole, tamper }, findings: [] })).toEqual({
      passed: false,
      findings: tamper,
    });
  });
});

describe("the review gates", () => {
  it("[L-08] EG-3 counts the three perspectives by name", () => {
    expect(evaluateRule(EG_3, all())).toBe(3);
    expect(
      evaluateRule(EG_3, [...review("security-sentinel"), ...review("gpt"), ...review("pragmatic-verifier")]),
    ).toBe(2);
  });

  it("[L-08] the gates look at one run, task and round", () => {
    const elsewhere = PERSPECTIVES.flatMap((name) => [
      ...review(name, {}, { run_id: "r0" }),
      ...review(name, {}, { task_id: "t2" }),
      ...review(name, {}, { round: 2 }),
    ]);
    for (const rule of [EG_3, EG_5, EG_6]) expect(evaluateRule(rule, elsewhere)).toBe(0);
  });

  it("[L-08] EG-4 counts a blocker in any category, also from an unknown reviewer", () => {
    expect(evaluateRule(EG_4, all())).toBe(0);
    expect(evaluateRule(EG_4, [...all(), ...review("stranger", { correctness: "blocker" })])).toBe(1);
  });

  it("[L-08] EG-5 requires all three categories of the scope from each reviewer", () => {
    expect(evaluateRule(EG_5, all())).toBe(3);
    expect(evaluateRule(EG_5, all().slice(1))).toBe(2);
    expect(evaluateRule(EG_5, all(), { ...ABOUT, scope: "code" })).toBe(0);
  });

  it("[L-08] EG-6 counts full approvals", () => {
    const rows = [...review("security-sentinel", { architecture: "needs_revision" }), ...all().slice(3)];
    expect(evaluateRule(EG_6, rows)).toBe(2);
  });

  it("[L-09] EG-6 does not count a reviewer whose verdict is NULL or missing", () => {
    expect(evaluateRule(EG_6, all({ correctness: null }))).toBe(0);
    expect(
      evaluateRule(
        EG_6,
        all().filter((row) => row["check_name"] !== "review-design-security"),
      ),
    ).toBe(0);
  });

  it("[L-10] a requested revision counts in the security category and not in others", () => {
    const dissent = REVIEW.find((rule) => rule.id === "L-10");
    if (!dissent || !("sql" in dissent)) throw new Error("there is no such rule");
    expect(evaluateRule(dissent, all({ security: "needs_revision" }))).toBe(3);
    expect(evaluateRule(dissent, all({ architecture: "needs_revision" }))).toBe(0);
  });

  it("[L-37] a verdict becomes one row per category under the reviewer's name", () => {
    const verdict = Verdict.parse({
      verdicts: { security: "approve", architecture: "needs_revision", correctness: "approve" },
      findings: [{ severity: "major", message: "two owners", category: "architecture" }],
    });
    const about = { instance: "pragmatic-verifier", round: 2, task: "x-code-review", input: { review_scope: "code" } };
    const rows: readonly LedgerRow[] = createReviewRows(verdict, about);
    expect(rows.map(({ values }) => [values["check_name"], values["verdict"], values["severity"]])).toEqual([
      ["review-code-security", "approve", null],
      ["review-code-architecture", "needs_revision", "Major"],
      ["review-code-correctness", "approve", null],
    ]);
    for (const { values } of rows) {
      expect(values).toMatchObject({
        phase: "review",
        task_id: "x-code-review",
        instance: "pragmatic-verifier",
        round: 2,
      });
    }
  });
});

describe("confidence", () => {
  const decision = (passed: boolean, findings = 0) => ({
    id: "d",
    gate: "g",
    passed,
    blocked: false,
    findings: Array.from({ length: findings }, () => ({ severity: "minor" as const, message: "dissent" })),
  });

  it("is high without any finding, medium with dissent, low when a budget ran out", () => {
    expect(computeConfidence({ exhausted: false, decisions: [decision(true)] })).toBe("high");
    expect(computeConfidence({ exhausted: false, decisions: [decision(true, 1)] })).toBe("medium");
    expect(computeConfidence({ exhausted: true, decisions: [decision(true)] })).toBe("low");
  });
});

describe("the reason of a confidence", () => {
  const because = (...issues: Parameters<typeof explainConfidence>[1]) => {
    const decision = { id: "d", gate: "g", passed: true, blocked: false, findings: issues };
    return explainConfidence({ exhausted: false, decisions: [decision] }, issues);
  };

  it("is the most severe issue as a full sentence on one line, whatever its line breaks", () => {
    const minor = { severity: "minor" as const, message: "a shorter name" };
    const major = {
      severity: "major" as const,
      message:
        "HISTORY.rst has no section (e.g. 2.1): callers who catch\n  IndexError learn of it\nonly from a crash. Add one.",
    };
    expect(because(minor, major)).toBe(
      "confidence is medium: known and not settled: HISTORY.rst has no section (e.g. 2.1): callers who catch IndexError learn of it only from a crash (and 1 more)",
    );
  });

  it("names the document of findings that are not about the work", () => {
    const findings = [{ severity: "minor" as const, message: "D-2 names no error" }];
    const designed = { id: "d", gate: "design review", passed: true, blocked: false, findings };
    expect(explainConfidence({ exhausted: false, decisions: [designed] }, [])).toBe(
      "confidence is medium: reviewers of the design had findings, see evidence-bundle.md",
    );
  });
});

describe("[A-30] a task that changes nothing", () => {
  const [, , , left] = VERIFY;

  it("is below its threshold, whatever it claimed", () => {
    expect(left.judge({ tree: "t", left: { before: ["base", "t"], changed: ["a.ts"], outside: [] } })).toMatchObject({
      passed: false,
    });
    expect(left.judge({ tree: "t2", left: { before: ["base", "t"], changed: ["a.ts"], outside: [] } })).toEqual({
      passed: true,
      findings: [],
    });
  });

  it("is also below it if its agent changed nothing on top of the earlier work", () => {
    expect(left.judge({ tree: "t2", left: { before: ["base"], changed: [], outside: [] } })).toMatchObject({
      passed: false,
      findings: [{ severity: "major", message: "nothing was changed" }],
    });
  });

  it("lists discarded changes outside the task's files", () => {
    const judged = left.judge({
      tree: "t2",
      left: { before: ["base", "t"], changed: ["a.ts"], outside: ["README.md"] },
    });
    expect(judged).toMatchObject({ passed: true, findings: [{ severity: "minor", files: ["README.md"] }] });
  });
});

it("[L-52] a check that failed before and still fails counts neither way, but is named", () => {
  const red = { name: "test", passed: false, exitCode: 1, snippet: "", outcome: "red-before" as const };
  const whole = { passed: true, regressions: [], tamper: [], findings: [], checks: [red] };
  const judged = INTEGRATED.judge({ whole, findings: [] });
  expect(judged).toMatchObject({
    passed: true,
    findings: [{ severity: "minor", message: "test failed before and still fails" }],
  });
});
