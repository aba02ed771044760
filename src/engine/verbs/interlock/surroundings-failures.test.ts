import { expect, test } from "vitest";
import { BOTH, EXAM, runCommit } from "./run-commit.fixture.ts";

const RED = { ...BOTH, "t.js › b": "failed" } as const;
const CLEAN = { base: BOTH, new: BOTH, "old-on-new": BOTH } as const;
const BESIDE = { tree: "beside", paths: ["u.js"], how: "beside", emptied: "emptied" } as const;

test.each([
  ["beside", "fail on the new code beside u.js, which is new, and pass without it"],
  ["without", "fail on the new code without u.js, which is new and which no code imports"],
  ["was", "fail on the new code with u.js as it was, which only tests import"],
] as const)("[A-26] old tests that fail by what lies around them (%s) are put before a person", async (how, said) => {
  const around = [{ ...BESIDE, how }];
  const { driven, question } = await runCommit({
    ends: { ...CLEAN, beside: RED, emptied: RED },
    exam: { ...EXAM, around },
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question)).toContain(said);
  expect(JSON.stringify(question)).toContain("t.js › b");
});

test("if they pass there, or fail there once, no person is asked", async () => {
  for (const beside of [BOTH, [RED, BOTH]]) {
    const { driven, ran } = await runCommit({ ends: { ...CLEAN, beside }, exam: { ...EXAM, around: [BESIDE] } });
    expect(driven).toMatchObject({ status: "done", exit: 0 });
    expect(ran).not.toContain("emptied");
  }
});

test("new tests that cannot be loaded beside old helpers do not block a commit", async () => {
  const { driven } = await runCommit({ ends: { ...CLEAN, beside: RED }, exam: { ...EXAM, around: [BESIDE] } });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
});

test("[A-26] unless code of the change can look into them", async () => {
  const around = [{ ...BESIDE, looks: true }];
  const { driven } = await runCommit({ ends: { ...CLEAN, beside: RED }, exam: { ...EXAM, around } });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
});

test("where old tests are named anyway, nothing sits around them", async () => {
  const { ran } = await runCommit({ ends: { ...CLEAN, "old-on-new": RED }, exam: { ...EXAM, around: [BESIDE] } });
  expect(ran).not.toContain("beside");
});
