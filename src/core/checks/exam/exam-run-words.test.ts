import { expect, test } from "vitest";
import { explainSkippedExam, formatHalves, formatNewOnOld } from "./exam-run-words.ts";

const [OLD, NEW, BOTH] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const sat = {
  check: "exam-old-on-new",
  passed: true,
  tree: BOTH,
  command: "npm test",
  halves: { code: NEW, exam: OLD },
};

test("an exam run names the origin of its tests and code", () => {
  expect(explainSkippedExam(sat)).toBeUndefined();
  expect(formatHalves(sat)).toBe("`npm test`: old tests aaaaaaa, new code bbbbbbb");
  const back = { ...sat, check: "exam-new-on-old", halves: { code: OLD, exam: NEW } };
  expect(formatHalves(back)).toBe("new tests bbbbbbb, old code aaaaaaa");
});

test("a change of only code or only tests has no exam run, with the reason", () => {
  expect(explainSkippedExam({ ...sat, tree: NEW })).toContain("no test changed");
  expect(explainSkippedExam({ ...sat, tree: OLD })).toContain("only tests changed");
  expect(formatHalves({ ...sat, tree: OLD })).toBe("");
});

test("rows that did not pass, and other checks, stay unchanged", () => {
  expect(explainSkippedExam({ ...sat, tree: NEW, passed: false })).toBeUndefined();
  expect(explainSkippedExam({ check: "test", passed: true, tree: NEW })).toBeUndefined();
  expect(formatHalves({ check: "test", passed: true, tree: NEW, command: "npm test" })).toBe("");
});

const forth = { check: "exam-new-on-old", command: "npm test" };

test("new tests on the old code are spoken of with their command", () => {
  expect(formatNewOnOld({ ...forth, exitCode: 1, tests: { failed: 2, total: 6 } })).toBe(
    "`npm test`: 2 of 6 new tests fail on the old code, as they should: they show the change",
  );
  expect(formatNewOnOld({ ...forth, exitCode: 0, tests: { failed: 0, total: 6 } })).toContain("do not show the change");
  expect(formatNewOnOld({ ...forth, exitCode: 1 })).toContain("they show the change");
});

test("a command that counts no tests proves nothing about the new tests", () => {
  for (const exitCode of [0, 1]) {
    const text = formatNewOnOld({ ...forth, command: "npm run build", exitCode });
    expect(text).toContain("`npm run build` counts no tests");
    expect(text).not.toContain("show the change");
  }
});
