import { expect, test } from "vitest";
import { BASE_TREE } from "../../../../test/support/stage.ts";
import { BOTH, type End, EXAM, runCommit } from "./run-commit.fixture.ts";

test("[A-25] the engine itself runs every configured command on the very tree, whatever the pipeline asked for", async () => {
  const { ran, commits, driven } = await runCommit({ ends: {} });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(ran).toEqual(["base", "new"]);
  expect(commits()).toBe(1);
});

test.each<[string, End, End, string]>([
  ["[A-24] a command that fails there", 0, 1, "test passed on the baseline and fails now"],
  [
    "[A-20] a command that cannot run there",
    0,
    { notRun: "sh: 1: xo: not found" },
    "test could not be run: sh: 1: xo: not found",
  ],
  ["[A-22] a command that no longer counts tests", BOTH, 0, "counts none now"],
  [
    "[A-23] one test repaired and another one broken",
    { a: "failed", b: "passed" },
    { a: "passed", b: "failed" },
    "tests that did not fail there: b",
  ],
])("%s: nothing is committed", async (_what, base, now, why) => {
  const { commits, end } = await runCommit({ ends: { base, new: now } });
  expect(end).toMatchObject({ status: "error", reason: expect.stringContaining(why) });
  expect(commits()).toBe(0);
});

test("[A-26] old tests that pass or fail by which half a file belongs to are put before a person", async () => {
  const doubtful = [{ tree: "less", paths: ["lib/ab_test.py"] }];
  const red = { "t.js › a": "failed", "t.js › b": "passed" } as const;
  const ends = { base: BOTH, new: BOTH, "old-on-new": BOTH };
  const asked = await runCommit({ ends: { ...ends, less: red }, exam: { ...EXAM, doubtful } });
  expect(asked.driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(asked.question)).toMatch(/lib\/ab_test\.py counts as tests or as code: .*t\.js › a/);
  for (const less of [BOTH, [red, BOTH]]) {
    const passed = await runCommit({ ends: { ...ends, less }, exam: { ...EXAM, doubtful } });
    expect(passed.driven).toMatchObject({ status: "done", exit: 0 });
  }
});

test("[A-30] a tree that changes nothing is not committed", async () => {
  const { commits, end } = await runCommit({ ends: {}, tree: BASE_TREE });
  expect(end?.reason).toContain("it changes nothing");
  expect(commits()).toBe(0);
});

test("[A-24] red only in what was red before is committed, and the confidence is medium at most", async () => {
  const red = { "t.js › a": "failed", "t.js › b": "passed" } as const;
  const { commits, end } = await runCommit({ ends: { base: red, new: red } });
  expect(end).toMatchObject({
    status: "done",
    confidence: "medium",
    caveats: ["test was red before and still is: t.js › a"],
  });
  expect(commits()).toBe(1);
});

test("[A-24] a red command without names is put before a person, in autonomous mode too, and the answer counts", async () => {
  const { s, driven, question, commits } = await runCommit({ ends: { base: 1, new: 1 } });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(question).toMatchObject({
    auto: "never",
    show: { open: [expect.stringContaining("so it proves nothing")] },
  });
  expect(commits()).toBe(0);
  const { approval = "", hash = "" } = question ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "accept", by: "ann", note: "the linter is broken" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(commits()).toBe(1);
  const end = (await s.records()).findLast((record) => record.type === "run.finished");
  expect(end?.caveats?.[0]).toContain("accepted by ann: the linter is broken");
});

test("a person who refuses keeps the work out of the branch", async () => {
  const { s, question, commits } = await runCommit({ ends: { base: 1, new: 1 } });
  const { approval = "", hash = "" } = question ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "refuse", by: "ann", note: "You put it back." });
  expect(await s.drive()).toMatchObject({ status: "error", exit: 1 });
  const said = JSON.stringify((await s.records()).filter(({ type }) => type !== "approval.decided"));
  expect(said).toContain("refused by ann: You put it back.");
  expect(said).not.toContain("back..");
  expect(commits()).toBe(0);
});

test("[A-24] an exempt run is committed with the reason in its end", async () => {
  const { end, commits } = await runCommit({ ends: {}, order: { commands: [], exempt: "only prose" } });
  expect(end).toMatchObject({ confidence: "medium", caveats: [expect.stringContaining("only prose")] });
  expect(commits()).toBe(1);
});

test("[A-26] an old test that fails on the new code is named, although the new one passes", async () => {
  const { driven, question, commits, ran } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": { ...BOTH, "t.js › b": "failed" }, "new-on-old": BOTH },
    exam: EXAM,
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("t.js");
  expect(ran.filter((tree) => tree === "old-on-new")).toHaveLength(2);
  expect(commits()).toBe(0);
});

test("[A-26] a test that cannot be collected any more is named too", async () => {
  const { driven } = await runCommit({ ends: { base: BOTH, new: BOTH, "old-on-new": {} }, exam: EXAM });
  expect(driven).toMatchObject({ status: "waiting" });
});

test("[A-26] an old test that fails only once is no objection, but a person is asked", async () => {
  const { driven, question } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": [{ ...BOTH, "t.js › b": "failed" }, BOTH] },
    exam: EXAM,
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("once and pass there once");
});

test("[A-28] what was announced before the work may fail", async () => {
  const { s, driven, commits } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": { ...BOTH, "t.js › b": "failed" } },
    exam: EXAM,
    announced: [{ was: "b", becomes: "c", tests: ["t.js › b", "t.js › nobody"] }],
  });
  expect(driven).toMatchObject({ status: "done" });
  expect(commits()).toBe(1);
  const records = await s.records();
  expect(records.find((each) => each.type === "step.finished" && each.key.endsWith("announce"))).toMatchObject({
    value: { unknown: ["t.js › nobody"] },
  });
  const exam = records.find((each) => each.type === "evidence.recorded" && each.check === "exam-old-on-new");
  expect(JSON.stringify(exam)).toContain("as the approved plan announced");
});

test.each([
  ["nothing", []],
  ["something else", [{ was: "a", becomes: "c", tests: ["t.js › a"] }]],
])(
  "[A-28] what was announced for other work counts no longer, once %s is announced instead",
  async (_what, instead) => {
    const { driven, commits } = await runCommit({
      ends: { base: BOTH, new: BOTH, "old-on-new": { ...BOTH, "t.js › b": "failed" } },
      exam: EXAM,
      announced: [{ was: "b", becomes: "c", tests: ["t.js › b"] }],
      instead,
    });
    expect(driven).toMatchObject({ status: "waiting" });
    expect(commits()).toBe(0);
  },
);

test("[A-26] an old exam that is red in nothing it named before is no verdict", async () => {
  const more = { ...BOTH, "t.js › a #2": "failed" } as const;
  const { driven, question } = await runCommit({ ends: { base: BOTH, new: BOTH, "old-on-new": more }, exam: EXAM });
  expect(driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(question?.show)).toContain("none of the tests that they had on the old code says why");
});

test("[A-26] a command that counts no tests is examined too, by how it ends", async () => {
  const { driven, question } = await runCommit({
    ends: { base: 0, new: 0, "old-on-new": 1 },
    exam: EXAM,
    order: { commands: [{ name: "all", run: "make" }] },
  });
  expect(driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(question?.show)).toContain("the whole command");
});

test("[A-26] an exam that cannot be sat is no verdict, and is put before a person", async () => {
  const { driven, question } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": { notRun: "the set-up failed" } },
    exam: EXAM,
  });
  expect(driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(question?.show)).toContain("No verdict");
});

test("[A-26] a package that the change took away is put back for the old tests, and a person sees it", async () => {
  const { driven, ran, question } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": { notRun: "no ava" }, "old-packages": BOTH },
    exam: { ...EXAM, oldOnNewOldPackages: "old-packages" },
  });
  expect(ran).toContain("old-packages");
  expect(driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(question?.show)).toContain("only with the packages from before");
});

test("[A-25] a change of what decides about checks elsewhere is put before a person, unless the team says it is free", async () => {
  const exam = { code: [".github/workflows/ci.yml"] };
  const { driven, question } = await runCommit({ ends: {}, exam });
  expect(driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(question?.show)).toContain(".github/workflows/ci.yml");
  const free = await runCommit({ ends: {}, exam, order: { protectedPaths: ["!.github/**"] } });
  expect(free.driven).toMatchObject({ status: "done" });
});

test("[A-19] a change of what agents take orders from is put before a person, in an autonomous run too", async () => {
  const { driven, question } = await runCommit({ ends: {}, exam: { code: ["sub/AGENTS.md"] } });
  expect(driven).toMatchObject({ status: "waiting" });
  expect(question).toMatchObject({ auto: "never" });
  expect(JSON.stringify(question?.show)).toContain("agents read instructions from it");
});

test("[A-27] a declared fix without a test that is red on the old code is put before a person", async () => {
  const scene = { ends: { base: BOTH, new: BOTH, "old-on-new": BOTH, "new-on-old": BOTH }, exam: EXAM };
  const hollow = await runCommit({ ...scene, declared: "fix" });
  expect(hollow.driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(hollow.question?.show)).toContain("no test is red without it");
  const undeclared = await runCommit(scene);
  expect(undeclared.driven).toMatchObject({ status: "done" });
});

const HOLLOW = { ends: { base: BOTH, new: BOTH, newer: BOTH }, declared: "fix" } as const;
const decisionsOf = async ({ s }: Awaited<ReturnType<typeof runCommit>>) =>
  (await s.records()).flatMap((each) => (each.type === "gate.evaluated" && each.rule === "A-27" ? [each.passed] : []));

test("[A-27] work without a test that is red goes back once, and then a person is asked", async () => {
  const hollow = await runCommit({ ...HOLLOW, again: "newer" });
  expect(hollow.driven).toMatchObject({ status: "waiting" });
  expect(hollow.question).toMatchObject({ tree: "newer", choices: ["accept", "revise", "refuse"] });
  expect(await decisionsOf(hollow)).toEqual([false]);
  expect(hollow.commits()).toBe(0);
});

test("[A-27] work that comes back with such a test is committed without a question", async () => {
  const newer = { ...BOTH, "t.js › c": "passed" } as const;
  const ends = { ...HOLLOW.ends, newer, "old-on-new": BOTH, "new-on-old": BOTH } as const;
  const mended = await runCommit({ ...HOLLOW, ends, exam: EXAM, again: "newer" });
  expect(mended.driven).toMatchObject({ status: "done", exit: 0 });
  expect(mended.question).toBeUndefined();
  expect(await decisionsOf(mended)).toEqual([false, true]);
  expect(mended.commits()).toBe(1);
});

test("[A-27] work about which something else is open is put before a person at once", async () => {
  const ends = { base: BOTH, new: BOTH, "old-on-new": { ...BOTH, "t.js › b": "failed" }, "new-on-old": BOTH } as const;
  const { question, s } = await runCommit({ ...HOLLOW, ends, exam: EXAM, again: "newer" });
  expect(question).toMatchObject({ tree: "new" });
  expect((await s.records()).some((each) => each.type === "gate.evaluated" && each.rule === "A-27")).toBe(false);
});

const RED_BASE = { "t.js › a": "passed", "t.js › b": "failed" } as const;

test("[A-36] a red test that was edited goes back once, whatever the kind of work, and then a person is asked", async () => {
  const ends = { base: RED_BASE, new: BOTH, newer: BOTH, "old-on-new": RED_BASE, "new-on-old": BOTH } as const;
  for (const kind of [{}, { declared: "fix" }] as const) {
    const edited = await runCommit({ ...kind, ends, exam: EXAM, again: "newer" });
    expect(edited.question).toMatchObject({ tree: "newer", choices: ["accept", "revise", "refuse"] });
    expect(await decisionsOf(edited)).toEqual([false]);
  }
});

test("[A-36] work that comes back with the red test as it was is committed without a question", async () => {
  const ends = { base: RED_BASE, new: BOTH, newer: BOTH, "old-on-new": RED_BASE, "new-on-old": BOTH } as const;
  const mended = await runCommit({ ends, exam: EXAM, declared: "fix", again: "newer", examAgain: {} });
  expect(mended.driven).toMatchObject({ status: "done", exit: 0 });
  expect(mended.question).toBeUndefined();
  expect(await decisionsOf(mended)).toEqual([false, true]);
});

test("[A-37] work of unknown kind shows a red test where any check reports tests", async () => {
  const scene = { declared: "feature", assumed: true } as const;
  const tested = await runCommit({ ...scene, ends: { base: BOTH, new: BOTH } });
  expect(tested.driven).toMatchObject({ status: "waiting" });
  expect(JSON.stringify(tested.question?.show)).toContain("Its kind was not stated");
  const untested = await runCommit({ ...scene, ends: {} });
  expect(untested.driven).toMatchObject({ status: "done" });
  expect(untested.end).toMatchObject({ confidence: "medium", caveats: [expect.stringContaining("reported a test")] });
  const prose = await runCommit({ ...scene, ends: {}, exam: { code: ["README.md"] } });
  expect(prose.driven).toMatchObject({ status: "waiting" });
});

test("[A-27] a declared fix with such a test is committed", async () => {
  const { driven } = await runCommit({
    ends: {
      base: BOTH,
      new: { ...BOTH, "t.js › c": "passed" },
      "old-on-new": BOTH,
      "new-on-old": { ...BOTH, "t.js › c": "failed" },
    },
    exam: EXAM,
    declared: "fix",
  });
  expect(driven).toMatchObject({ status: "done" });
});

test("both halves of an examination are recorded with the trees that they were made of", async () => {
  const { s } = await runCommit({
    ends: { base: BOTH, new: BOTH, "old-on-new": BOTH, "new-on-old": BOTH },
    exam: EXAM,
    declared: "feature",
  });
  const records = (await s.records()).filter((record) => record.type === "evidence.recorded" && record.halves);
  expect(records).toMatchObject([
    { check: "exam-old-on-new", tree: "old-on-new", halves: { code: "new", exam: BASE_TREE } },
    { check: "exam-new-on-old", tree: "new-on-old", halves: { code: BASE_TREE, exam: "new" } },
  ]);
});

test("[A-24] green checks of which none has reported a test are a caveat, and the confidence is medium at most", async () => {
  const { commits, end } = await runCommit({ ends: { base: 0, new: 0 } });
  expect(end).toMatchObject({
    status: "done",
    confidence: "medium",
    caveats: ["no check reported a test: test ran, but no test of the code's behaviour was seen"],
  });
  expect(commits()).toBe(1);
  const tested = await runCommit({ ends: { base: BOTH, new: BOTH } });
  expect(tested.end).toMatchObject({ confidence: "high" });
  expect(tested.end?.caveats).toBeUndefined();
});
