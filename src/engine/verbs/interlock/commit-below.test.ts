import { expect, test } from "vitest";
import { BOTH, runCommit } from "./run-commit.fixture.ts";

const FIRST = { ...BOTH, "t.js › added": "passed" } as const;
const BENT = { ...BOTH, "t.js › added": "failed" } as const;
const below = { tree: "first", exam: { exam: ["t.js"], oldOnNew: "first-on-new", newOnOld: "new-on-first" } };
const ENDS = { base: BOTH, first: FIRST, new: FIRST } as const;

test("[A-26] tests that the run has committed before sit on its next commit too", async () => {
  const { driven, question, commits } = await runCommit({ ends: { ...ENDS, "first-on-new": BENT }, below });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("t.js › added");
  expect(commits()).toBe(1);
});

test("a second commit that keeps them is made without a question", async () => {
  const { driven, commits, ran } = await runCommit({ ends: { ...ENDS, "first-on-new": FIRST }, below });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(ran).toContain("first-on-new");
  expect(commits()).toBe(2);
});

test("[A-27] what is red only without the commit before proves nothing for the next one", async () => {
  const exam = { exam: ["t.js"], oldOnNew: "old-on-new", newOnOld: "new-on-old" };
  const ends = { ...ENDS, "first-on-new": FIRST, "new-on-old": BENT, "new-on-first": FIRST };
  const { question } = await runCommit({ ends, exam, below, declared: "feature" });
  expect(JSON.stringify(question?.show)).toContain("declared as a feature, and no test is red without it");
});
