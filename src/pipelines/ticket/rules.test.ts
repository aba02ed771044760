import { describe, expect, it } from "vitest";
import type { CheckOutcome } from "../../core/checks/outcome/outcome.ts";
import { isJudged } from "./files/documents.ts";
import { isOwnBranch } from "./preparing/git-gate.ts";
import { findLayoutChanges } from "./preparing/layout.ts";
import { reviewer } from "./roles.ts";
import {
  ACCEPTED,
  ALL_ACCEPTED,
  CHANGED,
  GREEN,
  INSIDE,
  listDeferrals,
  ONLY_DOCS,
  OWN_OUTPUT,
  SOUND,
  type TaskResult,
  VERBATIM,
} from "./rules.ts";
import { findCulprits, toTaskStatus } from "./working/parallel-group.ts";
import { listObjections } from "./working/work-review.ts";

describe("a plan", () => {
  it.each([
    "confirm later",
    "research later",
    "need to research",
    "to be researched",
    "further research required",
    "Figure out",
    "where available",
    "if different",
    "determine later",
    "TBD",
    "TODO",
  ])("[T-10] that says %s postpones research, and the line is named", (words) => {
    expect(listDeferrals(`Use x.\nThe port: ${words}.\nDone.`)).toEqual([`The port: ${words}.`]);
  });

  it.each([
    'He said "TBD".',
    "Call `figure out()`.",
    "```\n// TODO\n```",
    "> TBD",
    "Add a TODO list.",
    "Edit src/todo.ts and TodoItem.",
    "## Research Performed\nTODO was found in a.ts",
    "## Evidence\nthe header says: determine later",
  ])("[T-10] may quote such words, show them, use them in names, or cite them as evidence: %s", (plan) => {
    expect(listDeferrals(plan)).toEqual([]);
  });

  it.each([
    "Optional chaining needs Node.js 14, so it is not allowed: the TODO in `peek()` stays.",
    "Optional chaining is not allowed: the\nTODO in `peek()` stays.",
    "- **Kept**: `peek()`'s TODO, as nobody asked for it.",
    "There is a TODO in `peek()` that names this.",
    "No TODO is left, and every existing TODO stays.",
  ])("[T-10] may mention a TODO in the code: %s", (plan) => {
    expect(listDeferrals(plan)).toEqual([]);
  });

  it.each([
    "- TODO: investigate the port",
    "TODO investigate the port",
    "The TODO: investigate the port.",
    "The TODO is to investigate the port.",
    "The port is a TODO.",
    "Leave a TODO in `peek()` for the port.",
    "| port | TBD |",
    "The port (TODO) is open.",
    "The TODO in `peek()` stays. The port is TODO.",
  ])("[T-10] with its own TODO postpones research: %s", (line) => {
    expect(listDeferrals(`Change the\n\n${line}\n`)).toEqual([line]);
  });

  it.each([
    "The port is TBD, we will confirm later.",
    "- port: TBD",
    "| port | TBD |",
    "TODO: ask for the port",
    "`server.ts` names no port. It is TBD.",
    "The port in src/server.ts is still TBD.",
    "We need to research the port.",
    "Further research is required for the port.",
    "How the port is chosen we will figure out during the work.",
  ])("[T-10] that postpones research in an evidence section still postpones it: %s", (line) => {
    expect(listDeferrals(`## Research Performed\nRead src/server.ts.\n${line}\n`)).toEqual([line]);
    expect(listDeferrals(`## Evidence\n${line}\n`)).toEqual([line]);
  });

  it.each([
    "- src/server.ts:12: TODO support ports",
    "- src/server.ts has no TODO left.",
    "TODO was found in a.ts",
    "There is a TODO in `listen()`.",
    "`parse()` tries to figure out the port from the environment.",
    "The name is used where available, and the id if different.",
    "The comment in src/server.ts reads TODO: choose a port.",
    "The README says that ports are TBD.",
    "grep for TODO and TBD: nothing.",
    "Nothing is TBD.",
  ])("[T-10] an evidence section may report what was found: %s", (line) => {
    expect(listDeferrals(`## Research Performed\n${line}\n`)).toEqual([]);
  });

  it("[T-10] is parsed again after its evidence and its code", () => {
    expect(listDeferrals("## Evidence\nTODO was found in a.ts\n## Steps\n```\nTODO\n```\nTBD")).toEqual(["TBD"]);
  });
});

describe("an answer", () => {
  it("[T-06] may add mandates, but only in the request's own words", () => {
    const judge = (text: string) =>
      VERBATIM.judge({ mandates: [{ text, assigned_agent: "planner" }], request: "Please use Chrome DevTools." });
    expect(judge("use Chrome DevTools").passed).toBe(true);
    expect(judge("use Chrome")).toMatchObject({ passed: true });
    expect(judge("Use the Chrome DevTools")).toMatchObject({ passed: false });
  });

  it("[T-39] delivers what its agent wrote, not what existed before", () => {
    expect(OWN_OUTPUT.judge({ changed: ["a/plan.md"], outputs: ["a/plan.md"] }).passed).toBe(true);
    expect(OWN_OUTPUT.judge({ changed: ["a/tasks.yaml"], outputs: ["a/plan.md"] }).passed).toBe(false);
  });
});

const worked = (more: Partial<TaskResult> = {}): TaskResult => ({
  id: "T1",
  status: "DONE",
  summary: "",
  outside: [],
  scope: "code_and_tests_only",
  ...more,
});

describe("a task's work", () => {
  it("[T-17] is refused outside the task's files, and the paths are named", () => {
    expect(INSIDE.judge({ works: [worked()] }).passed).toBe(true);
    expect(INSIDE.judge({ works: [worked({ outside: ["x.ts"] })] })).toMatchObject({
      passed: false,
      findings: [{ files: ["x.ts"], by: "T1", message: expect.stringContaining("x.ts") }],
    });
  });

  it("[T-47] is judged by code and tests unless the policy says all; bookkeeping files always count", () => {
    const judged = (path: string) => [isJudged(path, "code_and_tests_only"), isJudged(path, "all")];
    expect(judged("src/a.ts")).toEqual([true, true]);
    expect(judged("test/a.test.ts")).toEqual([true, true]);
    expect(judged("README.md")).toEqual([false, true]);
    expect(judged("docs/a.html")).toEqual([false, true]);
    expect(judged("src/docs/a.ts")).toEqual([true, true]);
    expect(judged("requirements.txt")).toEqual([true, true]);
    expect(judged("prompts/ABC-1/progress.yaml")).toEqual([true, true]);
  });

  it("[T-44] in a parallel group is at best readable, never accepted on its own", () => {
    expect(toTaskStatus(worked())).toBe("SYNTAX_VALID");
    expect(toTaskStatus(worked({ status: "SYNTAX_ERROR" }))).toBe("SYNTAX_ERROR");
    expect(toTaskStatus(worked({ status: "ERROR" }))).toBe("ERROR");
    expect(toTaskStatus(worked({ outside: ["x.ts"] }))).toBe("REJECTED");
  });

  it("[T-45] that failed or cannot be parsed prevents the build of its group", () => {
    expect(SOUND.judge({ works: [worked(), worked({ id: "T2" })] }).passed).toBe(true);
    for (const status of ["ERROR", "SYNTAX_ERROR"] as const)
      expect(SOUND.judge({ works: [worked(), worked({ status })] }).passed).toBe(false);
  });
});

const evidence = (outcome: CheckOutcome, snippet = "") => ({
  passed: outcome === "passed",
  checks: [{ name: "test", passed: outcome === "passed", exitCode: 1, snippet, outcome }],
  tamper: [],
});

describe("a group", () => {
  it("[T-18] is judged by what got worse, not by what was red before", () => {
    const judge = (outcome: CheckOutcome) => GREEN.judge({ evidence: evidence(outcome), conflicts: [] }).passed;
    expect([judge("passed"), judge("red-before"), judge("flaky")]).toEqual([true, true, true]);
    expect([judge("failed"), judge("regression"), judge("not-run")]).toEqual([false, false, false]);
  });

  it("[A-16] is refused if a test was weakened, however green it is", () => {
    const tampered = {
      ...evidence("passed"),
      tamper: [{ severity: "critical" as const, message: "a test was skipped" }],
    };
    expect(GREEN.judge({ evidence: tampered, conflicts: [] })).toMatchObject({ passed: false });
  });

  const tasks = ["a", "b", "c"].map((id) => ({
    id,
    description: "",
    files_to_modify: [`src/${id}/index.ts`, `src/${id}.ts`],
    test_files: [],
    success_criteria: [],
    parallel_group: "A",
    depends_on: [],
    status: "PENDING",
    tool_mandates: [],
  }));
  const guilty = (snippet: string) => findCulprits(tasks, evidence("failed", snippet)).map(({ id }) => id);

  it("[T-18] that is red rejects the tasks whose files the failure names, all of them only if it names none", () => {
    expect(guilty("src/a.ts:3: error")).toEqual(["a"]);
    expect(guilty("at b.ts:1 and src/c.ts:1")).toEqual(["c"]);
    expect(guilty("at b.ts:1")).toEqual(["b"]);
    expect(guilty("at ab.ts:1")).toEqual(["a", "b", "c"]);
    expect(guilty("2 tests failed")).toEqual(["a", "b", "c"]);
  });

  it("[T-18] that is red is reported with the check's tests and output, and the responsible task is derived from them", () => {
    const { checks, ...rest } = evidence("failed", "2 tests failed");
    const output = "AssertionError: 3 !== 4\n  at src/b.ts:3\n[…]\n2 tests failed";
    const seen = { ...rest, checks: checks.map((check) => ({ ...check, output, failing: ["t.ts › adds"] })) };
    expect(findCulprits(tasks, seen).map(({ id }) => id)).toEqual(["b"]);
    const { findings } = GREEN.judge({ evidence: seen, conflicts: [] });
    expect(findings).toMatchObject([{ by: "build", output, tests: ["t.ts › adds"] }]);
  });

  it("[A-02] is reported as green to a Reviewer only with evidence", () => {
    expect(reviewer.prompt).toMatch(/`evidence` has its results, and\s+a command that could not run proves nothing/);
    expect(reviewer.prompt).not.toMatch(/tests pass has been witnessed/);
  });
});

describe("acceptance", () => {
  it("[T-49] is requested once every task is accepted", () => {
    expect(ALL_ACCEPTED.judge({ statuses: { T1: "ACCEPTED", T2: "ACCEPTED" } }).passed).toBe(true);
    expect(ALL_ACCEPTED.judge({ statuses: { T1: "ACCEPTED", T2: "SYNTAX_VALID" } })).toMatchObject({
      passed: false,
      findings: [{ message: "T2 is SYNTAX_VALID" }],
    });
  });

  const unmet = ["it greets", "it leaves"].map((criterion) => ({ criterion, met: false }));
  const fault = (severity: "major" | "minor", message: string) => ({ severity, message });

  it.each([
    ["a grave finding for each", [fault("major", "no greeting"), fault("major", "no leave")], []],
    ["a grave finding for one of two", [fault("major", "no greeting")], ["not met: it greets", "not met: it leaves"]],
    ["minor findings", [fault("minor", "a"), fault("minor", "b")], ["not met: it greets", "not met: it leaves"]],
  ])("[T-22] with unmet criteria and %s is refused, and each problem is reported once", (_, findings, more) => {
    const report = { status: "REJECTED" as const, summary: "", findings, criteria: unmet };
    const judged = ACCEPTED.judge({ report });
    expect(judged.passed).toBe(false);
    expect(ACCEPTED.judge({ report: { ...report, status: "ACCEPTED" } }).passed).toBe(false);
    expect(judged.findings?.map(({ message }) => message)).toEqual([
      ...findings.map(({ message }) => message),
      ...more,
    ]);
    const objections = findings.map(({ severity, message }) => `${severity}: ${message}`);
    expect(listObjections(report)).toEqual([...more, ...objections]);
  });

  it("[T-22] needs ACCEPTED and no unmet criterion, and a rejection always has a reason", () => {
    const report = { summary: "late", findings: [], criteria: [] };
    expect(ACCEPTED.judge({ report: { ...report, status: "ACCEPTED" } }).passed).toBe(true);
    expect(ACCEPTED.judge({ report: { ...report, status: "REJECTED" } })).toMatchObject({
      passed: false,
      findings: [{ message: "late" }],
    });
    const unmet = [{ criterion: "it greets", met: false }];
    expect(ACCEPTED.judge({ report: { ...report, criteria: unmet, status: "ACCEPTED" } }).passed).toBe(false);
    const findings = [{ severity: "minor" as const, message: "a shorter name" }];
    expect(ACCEPTED.judge({ report: { ...report, findings, status: "ACCEPTED" } }).findings).toEqual([
      { severity: "minor", message: "a shorter name", by: "Reviewer" },
    ]);
  });

  it("[T-22] is refused with a finding that must be fixed first", () => {
    const judge = (severity: "blocker" | "critical" | "major" | "minor") => {
      const findings = [{ severity, message: "it loses names" }];
      return ACCEPTED.judge({ report: { status: "ACCEPTED", summary: "", criteria: [], findings } }).passed;
    };
    expect([judge("blocker"), judge("critical"), judge("major"), judge("minor")]).toEqual([false, false, true, true]);
  });

  it("[A-30] is refused for work that changed nothing", () => {
    expect(CHANGED.judge({ changed: ["src/a.ts"] }).passed).toBe(true);
    expect(CHANGED.judge({ changed: [] }).passed).toBe(false);
  });

  it("[T-24] allows only documents to change afterwards", () => {
    expect(ONLY_DOCS.judge({ since: ["docs/ARCHITECTURE.md"], accepted: true }).passed).toBe(true);
    expect(ONLY_DOCS.judge({ since: ["src/a.ts"], accepted: true }).passed).toBe(false);
    expect(ONLY_DOCS.judge({ since: [], accepted: false }).passed).toBe(false);
  });
});

describe("the layout", () => {
  const before = ["package.json", "src/index.ts", "src/a.ts", "src/old/b.ts"];
  it.each([
    ["a folder came", [{ path: "src/new/c.ts", status: "added" }], ["src/new/"]],
    ["a folder went", [{ path: "src/old/b.ts", status: "deleted" }], ["src/old/"]],
    ["a manifest came", [{ path: "go.mod", status: "added" }], ["go.mod"]],
    ["an entry point went", [{ path: "src/index.ts", status: "deleted" }], ["src/index.ts"]],
  ] as const)("[T-24] has changed when %s", (_, changes, named) => {
    expect(findLayoutChanges(before, changes)).toEqual(named);
  });

  it("[T-24] is unchanged if files only changed or were added to a known folder", () => {
    const changes = [
      { path: "package.json", status: "modified" as const },
      { path: "src/index.ts", status: "modified" as const },
      { path: "src/c.ts", status: "added" as const },
    ];
    expect(findLayoutChanges(before, changes)).toEqual([]);
  });
});

describe("a branch", () => {
  it("[T-52] is the ticket's own if all of its commits name the ticket", () => {
    expect(isOwnBranch([], "ABC-1")).toBe(true);
    expect(isOwnBranch(["fix(ABC-1): a", "ABC-1 more"], "ABC-1")).toBe(true);
    expect(isOwnBranch(["fix(ABC-1): a", "something else"], "ABC-1")).toBe(false);
    expect(isOwnBranch(["fix(ABC-12): a"], "ABC-1")).toBe(false);
  });
});
