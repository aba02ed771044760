import { describe, expect, test } from "vitest";
import { renderContractTemplate } from "../../core/contract/template.ts";
import { clusters } from "./index.ts";

const JUDGES = /^(?:v-t|v-f|r-[qst])|-aggregator$/;

describe.each(clusters.roles)("$name", ({ name, prompt = "", protocol = "", contract }) => {
  const form = renderContractTemplate({ dialect: "line", schema: contract, nonce: "n1", signed: false });

  test("does not state the format of its last line: the engine adds it", () => {
    expect(`${prompt}\n${protocol}`).not.toMatch(/`?\b(?:DONE|NEEDS_REVISION|ERROR)\b\s*(?:\[[^\]]*\])?\s*:/);
  });

  test("offers the statuses that it may return, and mentions no other", () => {
    const allowed = JUDGES.test(name) ? ["DONE", "NEEDS_REVISION", "ERROR"] : ["DONE", "ERROR"];
    expect(form.match(/[A-Z_]+(?=\[n1\])/g)).toEqual(allowed);
    const mentioned = new Set(`${prompt}\n${protocol}`.match(/\b(?:DONE|NEEDS_REVISION|ERROR)\b/g));
    expect([...mentioned].filter((word) => !allowed.includes(word))).toEqual([]);
  });

  test("keeps in its protocol what the engine parses, because a repository may replace the prompt", () => {
    expect(protocol).toContain("## Output");
    expect(protocol).toContain("`inputs` lists what you read");
    if (JUDGES.test(name) || name.startsWith("ct-")) expect(protocol).toContain("- [Major]");
    if (/^(?:spec|designer|planner|researcher|.*-aggregator)$/.test(name))
      expect(protocol).toContain("`## Memory`: at most five");
  });

  test("is shorter than 3,200 characters", () => {
    expect(prompt.length + protocol.length).toBeLessThan(3_200);
  });
});

describe("what a prompt says about the engine", () => {
  const getProtocol = (name: string) => clusters.roles.find((role) => role.name === name)?.protocol ?? "";

  test("the planner is told that tests do not count among a task's files, and that no gate counts them", () => {
    expect(getProtocol("planner")).toMatch(/At most three files beside their tests[\s\S]*no\s+gate counts them/);
  });

  test("the build verifier is told where to find the results before the work", () => {
    expect(getProtocol("v-build")).toContain('each check before the work and on this tree, from "The checks" below');
  });
});
