import { expect, test } from "vitest";
import { BOTH, EXAM, runCommit } from "./run-commit.fixture.ts";

const GREEN = { base: BOTH, new: BOTH, "old-on-new": BOTH };
const DIFF = ["--- a/t.js", "+++ b/t.js", "-assert.equal(sub(3, 1), 2);"];
const GONE =
  "t.js: assertions are gone or looser, and no remaining test checks what they did: assert.equal(sub(3, 1), 2).";
const MOVED =
  "t.js: assertions are gone or looser, and other tests still check the same code: assert.equal(sub(3, 1), 2).";

test("[A-40] lost tests that nothing replaces are put before a person although all is green, with the diff", async () => {
  const lost = { unreplaced: [GONE], replaced: [], diff: DIFF };
  const { s, driven, question, commits } = await runCommit({ ends: GREEN, exam: EXAM, lost });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(question).toMatchObject({ auto: "never", show: { open: [GONE], excuses: [GONE], diff: DIFF } });
  expect(commits()).toBe(0);
  const { approval = "", hash = "" } = question ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "accept", by: "ann", note: "sub is gone soon" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  const end = (await s.records()).findLast((record) => record.type === "run.finished");
  expect(end).toMatchObject({ confidence: "medium", caveats: [`${GONE} (accepted by ann: sub is gone soon)`] });
});

test("[A-40] what other tests still check is a caveat with its file, and the confidence is medium", async () => {
  const lost = { unreplaced: [], replaced: [MOVED], diff: DIFF };
  const { driven, question, end } = await runCommit({ ends: GREEN, exam: EXAM, lost });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(question).toBeUndefined();
  expect(end).toMatchObject({ confidence: "medium", caveats: [MOVED] });
});

test("[A-40] changed tests that lose nothing are committed without a question or a caveat", async () => {
  const renamed = { "t.js › a": "passed", "t.js › c": "passed" } as const;
  const lost = { unreplaced: [], replaced: [], diff: DIFF };
  const { driven, question, end } = await runCommit({ ends: { ...GREEN, new: renamed }, exam: EXAM, lost });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(question).toBeUndefined();
  expect(end).toMatchObject({ confidence: "high" });
  expect(end).not.toHaveProperty("caveats");
});

test("[A-40] what the runs say of each test by name goes along", async () => {
  const now = { "t.js › a": "skipped", "t.js › c": "passed" } as const;
  const lost = { unreplaced: [], replaced: [], diff: [] };
  const { asked } = await runCommit({ ends: { ...GREEN, new: now }, exam: EXAM, lost });
  expect(asked).toMatchObject([
    { paths: ["t.js"], dropped: ["t.js › a", "t.js › b"], skipped: ["t.js › a"], added: ["t.js › c"], named: [] },
  ]);
});

test("[A-41] a question about old tests says how many of the baseline an approval excuses, which, and how they change", async () => {
  const lost = { unreplaced: [], replaced: [], diff: DIFF };
  const ends = { ...GREEN, "old-on-new": { ...BOTH, "t.js › b": "failed" } } as const;
  const { question } = await runCommit({ ends, exam: EXAM, lost });
  const excuses = ['1 of 2 tests that passed before: "t.js › b"'];
  expect(question?.show).toMatchObject({ tests: ["t.js › b"], excuses, diff: DIFF });
  expect(question?.brief).toContainEqual({ title: "Accepting it excuses", lines: excuses });
  expect(question?.brief).toContainEqual({ title: "Changes to the tests", lines: DIFF });
});

const B_FAILS = { ...GREEN, "old-on-new": { ...BOTH, "t.js › b": "failed" } } as const;

test.each(["*", "*b*", "* › b", "*.js › b"])(
  "[A-41] an announced pattern that names no file excuses nothing: %s",
  async (pattern) => {
    const announced = [{ was: "b", becomes: "c", tests: [pattern] }];
    const { s, driven, question } = await runCommit({ ends: B_FAILS, exam: EXAM, announced });
    expect(driven).toMatchObject({ status: "waiting", exit: 3 });
    expect(question?.show).toMatchObject({ tests: ["t.js › b"] });
    const said = (await s.records()).find((each) => each.type === "step.finished" && each.key.endsWith("announce"));
    expect(said).toMatchObject({
      value: {
        unknown: [pattern],
        excuses: [expect.stringContaining(`"${pattern}" names no file and does not count`)],
      },
    });
  },
);

test.each(["t.js › *", "t.js › b", "t.js", "b"])("[A-41] one that names a file or a test counts: %s", async (name) => {
  const announced = [{ was: "b", becomes: "c", tests: [name] }];
  const { driven, commits } = await runCommit({ ends: B_FAILS, exam: EXAM, announced });
  expect(driven).toMatchObject({ status: "done" });
  expect(commits()).toBe(1);
});

test("[A-41] what an announcement covers of the baseline is counted and named", async () => {
  const announced = [{ was: "b", becomes: "c", tests: ["t.js › *"] }];
  const { s } = await runCommit({ ends: B_FAILS, exam: EXAM, announced });
  const said = (await s.records()).find((each) => each.type === "step.finished" && each.key.endsWith("announce"));
  expect(said).toMatchObject({
    value: { excuses: ['b → c: excuses 2 of 2 tests of the baseline: "t.js › a", "t.js › b"'] },
  });
});

test("[A-41] the question before a commit lists what failed as announced beside what was not", async () => {
  const announced = [{ was: "b", becomes: "c", tests: ["t.js › b"] }];
  const ends = { ...GREEN, "old-on-new": { "t.js › a": "failed", "t.js › b": "failed" } } as const;
  const { question } = await runCommit({ ends, exam: EXAM, announced });
  expect(question?.show).toMatchObject({ tests: ["t.js › a"], announced: ["t.js › b"] });
  expect(question?.brief).toContainEqual({ title: "Fails as announced", lines: ["t.js › b"] });
});
