import { describe, expect, it } from "vitest";
import { type DispatchIdentity, findRule } from "./match.ts";
import type { ScriptRule } from "./script.ts";

const DISPATCH: DispatchIdentity = {
  effect: "r1/1 Work/x@1",
  run: "r1",
  role: "security-reviewer",
  pipeline: "clusters",
  phase: "7 Code review (final)",
  instance: "a.b",
  task: "t-1",
  round: 2,
  attempt: 1,
};

const fits = (rule: ScriptRule, order: Partial<DispatchIdentity> = {}) =>
  findRule({ file: "f", agents: [rule] }, { ...DISPATCH, ...order }) === rule;

describe("a rule", () => {
  it("matches everything that it does not name", () => {
    expect(fits({})).toBe(true);
  });

  it("matches by name, by glob and by number", () => {
    expect(fits({ role: "security-reviewer", phase: "7 Code review (final)", round: 2, attempt: 1 })).toBe(true);
    expect(fits({ role: "*-reviewer", phase: "7 *", task: "t-?" })).toBe(true);
    expect(fits({ role: "reviewer" })).toBe(false);
    expect(fits({ round: 1 })).toBe(false);
    expect(fits({ attempt: 2 })).toBe(false);
    expect(fits({ pipeline: "roadmap" })).toBe(false);
  });

  it("matches every other character literally", () => {
    expect(fits({ instance: "a.b" }, { instance: "axb" })).toBe(false);
    expect(fits({ role: "(a|b)+" }, { role: "a" })).toBe(false);
  });

  it("may omit the role's name from an instance's", () => {
    const order = { role: "researcher", instance: "researcher-impact" };
    expect([fits({ instance: "impact" }, order), fits({ instance: "researcher-impact" }, order)]).toEqual([true, true]);
    expect(fits({ instance: "impact" }, { ...order, instance: "other-impact" })).toBe(false);
    expect(fits({ instance: "" }, order)).toBe(false);
  });

  it("that comes first wins", () => {
    const agents = [{ role: "other" }, { role: "*", reply: "first" }, { role: "*", reply: "second" }];
    expect(findRule({ file: "f", agents }, DISPATCH)?.reply).toBe("first");
  });
});
