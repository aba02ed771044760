import { describe, expect, it } from "vitest";
import type { Finding } from "../../core/authoring/finding.ts";
import { assignFindings } from "./building/owners.ts";
import { failUnless } from "./contracts.ts";
import { selectTier } from "./planning/tier.ts";
import {
  applyCritiqueTable,
  applyReviewTable,
  applyVerificationTable,
  type ClusterMember,
  chooseMove,
  classifyFailures,
  selectStricter,
} from "./rules.ts";

const finding = (severity: Finding["severity"], files?: string[]): Finding => ({
  severity,
  message: severity,
  ...(files && { files }),
});
const member = (name: string, status: ClusterMember["status"] = "DONE", ...findings: Finding[]): ClusterMember => ({
  name,
  status,
  findings,
});
const others = (...statuses: ClusterMember["status"][]) =>
  ["v-tests", "v-tasks", "v-feature"].map((name, at) => member(name, statuses[at] ?? "DONE"));
const v = (more: Partial<Parameters<typeof applyVerificationTable>[0]> = {}) =>
  applyVerificationTable({ red: "nothing", undone: [], build: member("v-build"), others: others(), ...more }).status;

describe("the verification table", () => {
  it("[C-13] is DONE when all verifiers are DONE", () => {
    expect(v()).toBe("DONE");
  });

  it("[C-13] v-build ERROR is ERROR", () => {
    expect(v({ build: member("v-build", "ERROR") })).toBe("ERROR");
  });

  it("[C-13] two missing or failed are ERROR", () => {
    expect(v({ others: others("missing", "ERROR") })).toBe("ERROR");
  });

  it("[C-13] an objection with a failure is ERROR, alone it is NEEDS_REVISION", () => {
    expect(v({ others: others("NEEDS_REVISION", "ERROR") })).toBe("ERROR");
    expect(v({ others: others("NEEDS_REVISION") })).toBe("NEEDS_REVISION");
  });

  it("[C-13] with one failure the findings of the others decide, and the gap is noted", () => {
    const gap = applyVerificationTable({
      red: "nothing",
      undone: [],
      build: member("v-build"),
      others: others("ERROR"),
    });
    expect(gap).toEqual({ status: "DONE", why: "", gap: "v-tests" });
    const rest = [member("v-tests", "ERROR"), member("v-tasks", "DONE", finding("major")), member("v-feature")];
    expect(v({ others: rest })).toBe("NEEDS_REVISION");
  });

  it("[C-13] a finding above minor overrides a DONE in the same answer, a minor one does not", () => {
    const reported = (severity: Finding["severity"]) => [
      ...others().slice(1),
      member("v-tests", "DONE", finding(severity)),
    ];
    expect(v({ others: reported("critical") })).toBe("NEEDS_REVISION");
    expect(v({ others: reported("major") })).toBe("NEEDS_REVISION");
    expect(v({ others: reported("minor") })).toBe("DONE");
  });

  it("[C-37] a red build in the engine's check is ERROR, whatever v-build reports", () => {
    expect(v({ red: "build" })).toBe("ERROR");
  });

  it("[C-13] a red check is an objection, whatever v-tests reports", () => {
    expect(v({ red: "checks" })).toBe("NEEDS_REVISION");
    expect(v({ red: "checks", others: others("ERROR") })).toBe("ERROR");
  });

  it("[C-46] a failed or unstarted task is an objection, whatever the verifiers report", () => {
    expect(v({ undone: ["02-shout"] })).toBe("NEEDS_REVISION");
  });

  it("[C-37] code that does not build or parse is a red build, any other red check is not", () => {
    const check = (name: string, outcome: "passed" | "regression" | "red-before") => ({
      name,
      outcome,
      passed: outcome === "passed",
      exitCode: 0,
      snippet: "",
    });
    expect(classifyFailures({ checks: [check("build", "regression"), check("test", "passed")] })).toBe("build");
    expect(classifyFailures({ checks: [check("parses", "regression")] })).toBe("build");
    expect(classifyFailures({ checks: [check("build", "passed"), check("test", "regression")] })).toBe("checks");
    expect(classifyFailures({ checks: [check("build", "red-before")] })).toBe("nothing");
  });
});

describe("the critics' table", () => {
  it("[C-10] anything above minor asks for a revision", () => {
    expect(applyCritiqueTable([member("ct-security", "DONE", finding("major"))]).status).toBe("NEEDS_REVISION");
    expect(applyCritiqueTable([member("ct-security", "DONE", finding("minor"))]).status).toBe("DONE");
  });
});

describe("the review table", () => {
  const r = (...changed: ClusterMember[]) => {
    const names = ["r-quality", "r-security", "r-testing", "r-knowledge"];
    return applyReviewTable(names.map((name) => changed.find((each) => each.name === name) ?? member(name))).status;
  };

  it("[C-16] r-knowledge never changes the result", () => {
    expect(r(member("r-knowledge", "ERROR", finding("critical")))).toBe("DONE");
  });

  it("[C-16] security that is missing, failed or finds something critical is ERROR", () => {
    expect(r(member("r-security", "missing"))).toBe("ERROR");
    expect(r(member("r-security", "ERROR"))).toBe("ERROR");
    expect(r(member("r-security", "DONE", finding("critical")))).toBe("ERROR");
    expect(r(member("r-security", "DONE", finding("blocker")))).toBe("ERROR");
  });

  it("a major finding asks for a revision, a minor one does not", () => {
    expect(r(member("r-quality", "DONE", finding("major")))).toBe("NEEDS_REVISION");
    expect(r(member("r-quality", "DONE", finding("minor")))).toBe("DONE");
  });

  it("two reviewers without a result are ERROR, one is a gap", () => {
    expect(r(member("r-quality", "ERROR"), member("r-testing", "missing"))).toBe("ERROR");
    expect(r(member("r-quality", "ERROR"))).toBe("DONE");
  });

  it("[C-43] an aggregator that is milder than its table is overruled", () => {
    expect(selectStricter({ status: "NEEDS_REVISION", why: "w" }, "DONE")).toEqual({
      status: "NEEDS_REVISION",
      why: "w",
    });
    expect(selectStricter({ status: "ERROR", why: "w" }, "NEEDS_REVISION").status).toBe("ERROR");
  });

  it("[C-43] an aggregator that is stricter than its table stands, and a failed one is an ERROR", () => {
    expect(selectStricter({ status: "DONE", why: "" }, "NEEDS_REVISION").status).toBe("NEEDS_REVISION");
    expect(selectStricter({ status: "NEEDS_REVISION", why: "" }, "ERROR").status).toBe("ERROR");
    expect(selectStricter({ status: "DONE", why: "" }, "missing").status).toBe("ERROR");
  });
});

describe("red checks", () => {
  const seen = (name: string, outcome: "passed" | "regression" | "red-before" | "flaky" | "not-run") => ({
    checks: [{ name, outcome, passed: outcome === "passed", exitCode: 0, snippet: "" }],
  });

  it("[A-20] a check that could not run has not passed", () => {
    expect(classifyFailures(seen("test", "not-run"))).toBe("checks");
    expect(classifyFailures(seen("build", "not-run"))).toBe("build");
  });

  it("a check that failed before or is flaky does not count as red", () => {
    expect(classifyFailures(seen("test", "red-before"))).toBe("nothing");
    expect(classifyFailures(seen("test", "flaky"))).toBe("nothing");
  });
});

describe("tiers", () => {
  it.each([
    "src/auth/login.ts",
    "src/auth.ts",
    "lib/data/store.py",
    "db/migrations/1.sql",
    "src/payments/card.ts",
    "src/admin/users.ts",
    "src/network/retry.ts",
    "src/api/users.ts",
    "src/core/run.ts",
    "docs/api/users.md",
  ])("[C-15] one sensitive file makes the review full: %s", (path) => {
    expect(selectTier(["README.md", "src/greet.ts", path])).toBe("Full");
  });

  it("[C-15] only documents, configuration and lock files make it light", () => {
    expect(selectTier(["README.md", "package-lock.json", "config/app.yaml", ".editorconfig", "docs/a.html"])).toBe(
      "Lightweight",
    );
    expect(selectTier(["README.md", "src/greet.ts"])).toBe("Standard");
  });

  it("[C-15] a name that only starts like a sensitive one is not sensitive", () => {
    expect(selectTier(["src/author.ts", "src/score.ts", "src/networking-tips.ts", "src/capital.ts"])).toBe("Standard");
  });
});

describe("routing", () => {
  it("[C-32] NEEDS_REVISION from an agent that may not return it is a failed dispatch", () => {
    const said = { line: "NEEDS_REVISION", message: "hm" } as const;
    expect(failUnless("DONE")(said)).toMatchObject({ class: "contract", code: "status_not_allowed" });
    expect(failUnless("DONE", "NEEDS_REVISION")(said)).toBeUndefined();
  });

  it("[C-04] a missing input and a red build are deterministic, other errors are not", () => {
    const error = (message: string) => failUnless("DONE")({ line: "ERROR", message })?.class;
    expect(error("missing input: design.md")).toBe("deterministic");
    expect(error("Red build, 3 errors")).toBe("deterministic");
    expect(error("the network was down; missing input")).toBe("transient");
  });

  it("[C-17] an objection goes to the implementers once, then to the single replan, then nowhere", () => {
    const status = "NEEDS_REVISION" as const;
    expect(chooseMove({ status, fixed: false, replanned: false })).toBe("fix");
    expect(chooseMove({ status, fixed: true, replanned: false })).toBe("replan");
    expect(chooseMove({ status, fixed: true, replanned: true })).toBe("halt");
  });

  it("[C-39] an error goes to the single replan immediately", () => {
    expect(chooseMove({ status: "ERROR", fixed: false, replanned: false })).toBe("replan");
    expect(chooseMove({ status: "ERROR", fixed: false, replanned: true })).toBe("halt");
  });

  it("[C-38] a task gets its own findings and those without an owner", () => {
    const task = (id: string) => ({
      id,
      path: id,
      agent: "implementer" as const,
      depends_on: [],
      files: [`${id}.ts`],
      deletes: [],
    });
    const mine = finding("major", ["a.ts"]);
    const stray = finding("minor");
    expect(assignFindings([task("a"), task("b")], [mine, stray])).toEqual([
      { task: task("a"), findings: [mine, stray] },
    ]);
    expect(assignFindings([task("a"), task("b")], [stray]).map((each) => each.task.id)).toEqual(["a", "b"]);
  });
});
