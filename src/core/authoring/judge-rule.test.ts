import { expect, test } from "vitest";
import { bindParameters, judgeCount, judgeRule, type RuleInput } from "./judge-rule.ts";
import { sqlRule, valueRule } from "./rule.ts";

const RULE = sqlRule({ id: "R-1", because: "enough passed", sql: "SELECT :task AS actual", need: ":need" });
const ground = (actual: number | null, more: Partial<RuleInput> = {}): RuleInput => ({
  about: {},
  params: { task: "t", need: 2 },
  ask: async () => ({ actual }),
  ...more,
});

test("a rule over the ledger is judged by the number that its text gives", async () => {
  expect(await judgeRule(RULE, ground(2))).toEqual({ passed: true, blocked: false, actual: 2, need: 2, findings: [] });
  const missed = await judgeRule(RULE, ground(1));
  expect(missed).toMatchObject({ passed: false, blocked: false, actual: 1, need: 2 });
  expect(missed.findings).toEqual([{ severity: "major", message: "R-1: enough passed (is 1, needs 2)", by: "R-1" }]);
});

test("a miss blocks only where the rule says so, and more than exactly enough is a miss", () => {
  const exact = { ...RULE, compare: "exactly", onMiss: "block" } as const;
  expect(judgeCount(exact, { actual: 3, need: 2 })).toMatchObject({
    passed: false,
    blocked: true,
    findings: [{ severity: "blocker" }],
  });
  expect(judgeCount(exact, { actual: 2, need: 2 })).toMatchObject({ passed: true, blocked: false });
});

test("a rule over values that counts nothing says one of one, or none", async () => {
  const says = valueRule({ id: "R-2", because: "it is so", judge: (about: { so: boolean }) => ({ passed: about.so }) });
  expect(await judgeRule(says, ground(0, { about: { so: true } }))).toEqual({
    passed: true,
    blocked: false,
    actual: 1,
    need: 1,
    findings: [],
  });
  expect(await judgeRule(says, ground(0, { about: { so: false } }))).toMatchObject({
    actual: 0,
    need: 1,
    findings: [{ message: "R-2: it is so" }],
  });
});

test("a rule that has no number to be judged by is invalid", async () => {
  const invalid = { code: "RULE_INVALID" };
  await expect(judgeRule(RULE, ground(null))).rejects.toMatchObject(invalid);
  await expect(judgeRule(RULE, ground(1, { ask: async () => undefined }))).rejects.toMatchObject(invalid);
  await expect(judgeRule(RULE, ground(1, { params: { task: "t" } }))).rejects.toMatchObject(invalid);
});

test("a rule is bound to the parameters that it names, and to no others", () => {
  expect(bindParameters(RULE, { task: "t", need: 2, other: "x" })).toEqual({ task: "t", need: 2 });
  expect(() => bindParameters(RULE, { task: "t" })).toThrow(
    "its parameter :need has no value in the subject of the gate",
  );
});
