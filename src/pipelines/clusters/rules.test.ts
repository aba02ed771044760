import { describe, expect, it } from "vitest";
import type { Finding } from "../../core/finding.ts";
import { lineOf } from "./contracts.ts";
import { affected } from "./review.ts";
import { type Member, reviewOf, stricter, tierOf, verificationOf } from "./rules.ts";

const finding = (severity: Finding["severity"], files?: string[]): Finding => ({
  severity,
  message: severity,
  ...(files && { files }),
});
const member = (name: string, status: Member["status"] = "DONE", ...findings: Finding[]): Member => ({
  name,
  status,
  findings,
});
const others = (...statuses: Member["status"][]) =>
  ["v-tests", "v-tasks", "v-feature"].map((name, at) => member(name, statuses[at] ?? "DONE"));
const v = (more: Partial<Parameters<typeof verificationOf>[0]> = {}) =>
  verificationOf({ buildPassed: true, build: member("v-build"), others: others(), ...more }).status;

describe("the verification table", () => {
  it("[C-13] is DONE when all are", () => {
    expect(v()).toBe("DONE");
  });

  it("[C-13] v-build ERROR is ERROR", () => {
    expect(v({ build: member("v-build", "ERROR") })).toBe("ERROR");
  });

  it("[C-13] two missing or failed are ERROR", () => {
    expect(v({ others: others("missing", "ERROR") })).toBe("ERROR");
  });

  it("[C-13] an objection beside a failure is ERROR, alone it is NEEDS_REVISION", () => {
    expect(v({ others: others("NEEDS_REVISION", "ERROR") })).toBe("ERROR");
    expect(v({ others: others("NEEDS_REVISION") })).toBe("NEEDS_REVISION");
  });

  it("[C-13] one failure goes by the findings of the rest, and the gap is noted", () => {
    const gap = verificationOf({ buildPassed: true, build: member("v-build"), others: others("ERROR") });
    expect(gap).toEqual({ status: "DONE", why: "gap: v-tests" });
    const rest = [member("v-tests", "ERROR"), member("v-tasks", "DONE", finding("major")), member("v-feature")];
    expect(v({ others: rest })).toBe("NEEDS_REVISION");
  });

  it("[C-37] the engine's red build is ERROR whatever v-build says", () => {
    expect(v({ buildPassed: false })).toBe("ERROR");
  });
});

describe("the review table", () => {
  const r = (...changed: Member[]) => {
    const names = ["r-quality", "r-security", "r-testing", "r-knowledge"];
    return reviewOf(names.map((name) => changed.find((each) => each.name === name) ?? member(name))).status;
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

  it("[C-43] an aggregator can be stricter than the table, not milder", () => {
    expect(stricter({ status: "NEEDS_REVISION", why: "w" }, "DONE").status).toBe("NEEDS_REVISION");
    expect(stricter({ status: "DONE", why: "" }, "NEEDS_REVISION").status).toBe("NEEDS_REVISION");
  });
});

describe("routing", () => {
  it("[C-15] one sensitive file makes the review full, only documents make it light", () => {
    expect(tierOf(["src/auth/login.ts", "README.md"])).toBe("Full");
    expect(tierOf(["README.md", "package-lock.json"])).toBe("Lightweight");
    expect(tierOf(["src/greet.ts", "README.md"])).toBe("Standard");
  });

  it("[C-32] NEEDS_REVISION from an agent that may not say it is a failed dispatch", () => {
    const said = { line: "NEEDS_REVISION", message: "hm" };
    expect(lineOf("DONE").safeParse(said).success).toBe(false);
    expect(lineOf("DONE", "NEEDS_REVISION").safeParse(said).success).toBe(true);
    expect(lineOf("DONE").safeParse({ line: "ERROR", message: "no input" }).error?.issues[0]?.message).toBe(
      "ERROR: no input",
    );
  });

  it("[C-38] a task gets its own findings, and those that belong to nobody", () => {
    const task = (id: string) => ({ id, path: id, agent: "implementer" as const, depends_on: [], files: [`${id}.ts`] });
    const mine = finding("major", ["a.ts"]);
    const stray = finding("minor");
    expect(affected([task("a"), task("b")], [mine, stray])).toEqual([{ task: task("a"), findings: [mine, stray] }]);
    expect(affected([task("a"), task("b")], [stray]).map((each) => each.task.id)).toEqual(["a", "b"]);
  });
});
