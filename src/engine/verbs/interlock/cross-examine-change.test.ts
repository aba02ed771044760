import { expect, test } from "vitest";
import { BASE_TREE } from "../../../../test/support/stage.ts";
import type { TestEnd } from "../../../core/checks/reports/test-report.ts";
import { BOTH, type End, EXAM, runCommit } from "./run-commit.fixture.ts";

/** A test whose title differs on every run, beside one that always has its name. */
const titled = (time: number, end: TestEnd = "passed") =>
  ({ "t.js › a": "passed", [`t.js › at ${time}`]: end }) as const;
const STEADY = { base: [titled(1), titled(2)], new: [titled(3), titled(4)] };

test("[A-26] titles that differ on every run of the base tree do not block a commit", async () => {
  for (const exam of [EXAM, {}]) {
    const ends = { ...STEADY, "old-on-new": titled(5), "new-on-old": titled(6) };
    const { driven, question, ran, commits } = await runCommit({ ends, exam });
    expect(driven).toMatchObject({ status: "done", exit: 0 });
    expect(question).toBeUndefined();
    expect(ran.filter((tree) => tree === "base")).toHaveLength(2);
    expect(commits()).toBe(1);
  }
});

test("both runs of that tree are recorded", async () => {
  const { s } = await runCommit({ ends: { ...STEADY, "old-on-new": titled(5) }, exam: EXAM });
  const turns = (await s.records()).flatMap((each) =>
    each.type === "evidence.recorded" && each.tree === BASE_TREE ? [each.turn] : [],
  );
  expect(new Set(turns)).toEqual(new Set([1, 2]));
});

test("[A-26] such a test that fails on the new code is put before a person all the same", async () => {
  const failing = [titled(5, "failed"), titled(6, "failed")];
  const { driven, question } = await runCommit({ ends: { ...STEADY, "old-on-new": failing }, exam: EXAM });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).not.toContain("once and pass there once");
});

test("[A-26] the old tests sit by which half a file belongs to, also where titles differ on every run", async () => {
  const ends = { ...STEADY, "old-on-new": titled(5), less: { "t.js › a": "failed", "t.js › at 7": "passed" } } as const;
  const doubtful = [{ tree: "less", paths: ["lib/ab_test.py"] }];
  const { question } = await runCommit({ ends, exam: { ...EXAM, doubtful } });
  expect(JSON.stringify(question)).toMatch(/counts as tests or as code: .*t\.js › a/);
});

test("[A-26] a test that fails only now and then on the old code is said to, and not of the new code", async () => {
  const red = { ...BOTH, "t.js › b": "failed" } as const;
  const gone = { "t.js › a": "passed" } as const;
  const { driven, question } = await runCommit({
    ends: { base: [BOTH, red], new: BOTH, "old-on-new": gone },
    exam: EXAM,
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("pass only now and then on the old code");
  expect(JSON.stringify(question?.show)).not.toContain("once and pass there once");
});

test("[A-26] where a command names no tests, the question shows what it printed and the line that shows all of it", async () => {
  const order = { commands: [{ name: "all", run: "make" }] };
  const { s, question } = await runCommit({ ends: { base: 0, new: 0, "old-on-new": 1 }, exam: EXAM, order });
  expect(question?.show).toMatchObject({
    printed: ["all:", "AssertionError: 1 is not 2"],
    whole: [`signalbox logs ${s.run} --output effect/1.1/abc`],
  });
});

test("where it names them, nothing of that is shown", async () => {
  const ends = { base: BOTH, new: BOTH, "old-on-new": { ...BOTH, "t.js › b": "failed" } } as const;
  const { question } = await runCommit({ ends, exam: EXAM });
  expect(question?.show).not.toHaveProperty("printed");
});

const RED_BASE = { "t.js › a": "passed", "t.js › b": "failed" } as const;

test("[A-36] a test that was red and is green only in its changed form is put before a person", async () => {
  const ends = { base: RED_BASE, new: BOTH, "old-on-new": RED_BASE, "new-on-old": BOTH };
  const { driven, question, ran, commits } = await runCommit({ ends, exam: EXAM, declared: "fix" });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("stopped failing only because it was changed");
  expect(question?.show).toMatchObject({ tests: ["t.js › b"] });
  expect(ran.filter((tree) => tree === "base")).toHaveLength(2);
  expect(ran.filter((tree) => tree === "old-on-new")).toHaveLength(2);
  expect(commits()).toBe(0);
});

test("[A-36] a red test that the code alone repairs is committed without a question, also where no test passed before", async () => {
  for (const before of [RED_BASE, { "t.js › a": "failed", "t.js › b": "failed" }] as const)
    for (const exam of [{}, EXAM]) {
      const ends = { base: before, new: BOTH, "old-on-new": BOTH, "new-on-old": before };
      const { driven, question } = await runCommit({ ends, exam, declared: "fix" });
      expect(driven).toMatchObject({ status: "done", exit: 0 });
      expect(question).toBeUndefined();
    }
});

test("[A-36] tests that were there before their code and could not be collected show the work", async () => {
  const ends = { base: { "t.js (cannot be collected)": "failed" }, new: BOTH } as const;
  const { driven, question } = await runCommit({ ends, exam: {}, declared: "feature" });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(question).toBeUndefined();
});

test("[A-36] a test that was red by chance shows nothing", async () => {
  const { driven, question } = await runCommit({
    ends: { base: [RED_BASE, BOTH], new: BOTH },
    exam: {},
    declared: "fix",
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("no test is red without it");
});

test("[A-36] a new test that fails on the old code only now and then shows nothing", async () => {
  const now = { ...BOTH, "t.js › new": "passed" } as const;
  const red = { ...BOTH, "t.js › new": "failed" } as const;
  const ends = { base: BOTH, new: now, "old-on-new": BOTH };
  const by = (sat: readonly End[]) => runCommit({ ends: { ...ends, "new-on-old": sat }, exam: EXAM, declared: "fix" });
  expect((await by([red, now])).driven).toMatchObject({ status: "waiting" });
  expect((await by([red, red])).driven).toMatchObject({ status: "done" });
});

test("[A-36] without names, the old tests decide whether a red command shows the work", async () => {
  const by = (oldOnNew: End) =>
    runCommit({ ends: { base: 1, new: 0, "old-on-new": oldOnNew, "new-on-old": 1 }, exam: EXAM, declared: "fix" });
  expect((await by(0)).driven).toMatchObject({ status: "done", exit: 0 });
  const edited = await by(1);
  expect(edited.driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(edited.question?.show)).toContain("only the changed tests pass");
});

test("[A-39] the old tests need not cover new code, where the new tests do", async () => {
  const ends = { base: BOTH, new: { ...BOTH, "t.js › c": "passed" }, "old-on-new": { covered: BOTH } } as const;
  const covered = await runCommit({ ends, exam: { ...EXAM, measuring: ["npm test"] } });
  expect(covered.driven).toMatchObject({ status: "done", exit: 0 });
  const unknown = await runCommit({ ends, exam: EXAM });
  expect(unknown.driven).toMatchObject({ status: "waiting" });
  const failing = { ...ends, "old-on-new": { covered: { ...BOTH, "t.js › b": "failed" } } } as const;
  const broken = await runCommit({ ends: failing, exam: { ...EXAM, measuring: ["npm test"] } });
  expect(broken.question?.show).toMatchObject({ tests: ["t.js › b"] });
});

test("[A-39] a lower demand of coverage is put before a person where the old one is not reached", async () => {
  const ends = { base: BOTH, new: BOTH, "old-on-new": BOTH, settings: { covered: BOTH } } as const;
  const oldSettings = { tree: "settings", paths: ["package.json"], lines: ["npm test"], measuring: ["npm test"] };
  const { question } = await runCommit({ ends, exam: { ...EXAM, measuring: ["npm test"], oldSettings } });
  expect(JSON.stringify(question?.show)).toContain("passes on the new code only because its settings changed");
  const fails = { ...ends, settings: { ...BOTH, "t.js › b": "failed" } } as const;
  const other = await runCommit({ ends: fails, exam: { ...EXAM, measuring: ["npm test"], oldSettings } });
  expect(other.driven).toMatchObject({ status: "done" });
});
