import { describe, expect, test } from "vitest";
import { contractTemplate } from "../../../core/contract/template.ts";
import { clusters } from "../index.ts";

const JUDGES = /^(?:v-t|v-f|r-[qst])|-aggregator$/;

describe.each(clusters.roles)("$name", ({ name, prompt = "", protocol = "", contract }) => {
  const form = contractTemplate({ dialect: "line", schema: contract, nonce: "n1", signed: false });

  test("is told the form of its last line by the engine alone", () => {
    expect(`${prompt}\n${protocol}`).not.toMatch(/`?\b(?:DONE|NEEDS_REVISION|ERROR)\b\s*(?:\[[^\]]*\])?\s*:/);
  });

  test("is offered the words that it may say, and told of no other", () => {
    const may = JUDGES.test(name) ? ["DONE", "NEEDS_REVISION", "ERROR"] : ["DONE", "ERROR"];
    expect(form.match(/[A-Z_]+(?=\[n1\])/g)).toEqual(may);
    const said = new Set(`${prompt}\n${protocol}`.match(/\b(?:DONE|NEEDS_REVISION|ERROR)\b/g));
    expect([...said].filter((word) => !may.includes(word))).toEqual([]);
  });

  test("keeps what the engine reads where a repository's definition takes the place of its prompt", () => {
    expect(protocol).toContain("## What you write");
    expect(protocol).toContain("`inputs` lists what you read");
    if (JUDGES.test(name) || name.startsWith("ct-")) expect(protocol).toContain("- [Major]");
    if (/^(?:spec|designer|planner|researcher|.*-aggregator)$/.test(name))
      expect(protocol).toContain("`## Memory`: at most five");
  });

  test("is told its part in less than 3,200 characters", () => {
    expect(prompt.length + protocol.length).toBeLessThan(3_200);
  });
});

describe("what a prompt says of the engine is so", () => {
  const told = (name: string) => clusters.roles.find((role) => role.name === name)?.protocol ?? "";

  test("a planner knows that tests do not count among a task's files, and that no gate counts them", () => {
    expect(told("planner")).toMatch(/At most three files beside their tests[\s\S]*no\s+gate counts them/);
  });

  test("the build verifier is sent to where the state before the work stands", () => {
    expect(told("v-build")).toContain('before the work and on this tree, as "The checks" below');
  });
});
