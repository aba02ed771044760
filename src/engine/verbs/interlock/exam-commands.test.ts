import { expect, test } from "vitest";
import { BOTH, EXAM, runCommit } from "./run-commit.fixture.ts";

const commandsOf = (commands: Readonly<Record<string, string>>) => ({
  commands: Object.entries(commands).map(([name, run]) => ({ name, run })),
});
const GREEN = { "base test": BOTH, "new test": BOTH, "old-on-new test": BOTH };
const CONTRACT = commandsOf({ test: "node --test", contract: "node tools/contract.mjs" });

test("[A-26] a command beside the tests sits the old exam too, and the question names it", async () => {
  const ends = { ...GREEN, "old-on-new contract": 1 };
  const { driven, question, commits } = await runCommit({ ends, exam: EXAM, order: CONTRACT });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(question?.title).toBe("contract fails on the new code with t.js as it was: commit all the same?");
  expect(JSON.stringify(question?.show)).toContain('\\"contract\\" passed on the old code and fails on the new one');
  expect(commits()).toBe(0);
});

const BUILT = commandsOf({ build: "node build.mjs", test: "node --test" });

test("[A-26] where what builds for the tests fails first, they are not said to be unsteady", async () => {
  const ends = { ...GREEN, "old-on-new build": 1, "old-on-new test": { "t.js › a": "passed" } } as const;
  const { question, lines } = await runCommit({ ends, exam: { ...EXAM, exam: ["build.mjs", "t.js"] }, order: BUILT });
  expect(question?.title).toMatch(
    /^build fails on the new code with build\.mjs, t\.js as they were, and 1 old test with it/,
  );
  expect(lines.filter((line) => line.startsWith("base"))).toEqual([
    "base build",
    "base test",
    "base build",
    "base test",
  ]);
  const shown = JSON.stringify(question?.show);
  expect(shown).toContain("It failed first");
  expect(shown).not.toContain("now and then");
});

test("a question about several things names the first of them", async () => {
  const exam = { ...EXAM, tangled: ["a.json", "b.json"], inseparable: ["CMakeLists.txt"] };
  const { question } = await runCommit({ ends: GREEN, exam });
  expect(question?.title).toMatch(/^CMakeLists\.txt changed, .*, one of 2 things that evidence cannot decide: commit/);
});

test("[A-26] a command beside the tests that fails only once is no objection, but a person is asked", async () => {
  const ends = { ...GREEN, "old-on-new contract": [1, 1, 0] };
  const { driven, question } = await runCommit({ ends, exam: EXAM, order: CONTRACT });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(JSON.stringify(question?.show)).toContain("once and pass there once");
});

test("what builds for the tests runs before them wherever they sit, and what only reads text stays away", async () => {
  const order = commandsOf({ lint: "biome check .", build: "node build.mjs", test: "node --test" });
  const { driven, lines } = await runCommit({ ends: GREEN, exam: EXAM, order });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(lines.filter((line) => line.startsWith("old-on-new"))).toEqual(["old-on-new build", "old-on-new test"]);
});

test("[A-26] a script sits whatever its name, unless the old tree shows that it only reads text", async () => {
  const order = commandsOf({ lint: "npm run lint", style: "make style", types: "npm run types", test: "node --test" });
  const { lines } = await runCommit({ ends: GREEN, exam: { ...EXAM, reading: ["npm run lint"] }, order });
  const sat = lines.filter((line) => line.startsWith("old-on-new"));
  expect(sat).toEqual(["old-on-new style", "old-on-new types", "old-on-new test"]);
});

test("what builds for the tests runs before them where a regression is looked at again", async () => {
  const order = commandsOf({ lint: "biome check .", build: "node build.mjs", test: "node --test" });
  const { lines } = await runCommit({ ends: { ...GREEN, "new test": { "t.js › a": "failed" } }, order });
  const again = lines.filter((line) => line.startsWith("new")).slice(3);
  expect(again).toEqual(["new build", "new test"]);
});

test("where no file of the exam changed, nothing sits", async () => {
  const { driven, lines } = await runCommit({ ends: GREEN, order: CONTRACT });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(lines).toEqual(["base test", "base contract", "new test", "new contract"]);
});

test("[A-26] a person is told which file was which where old tests fail in a mixture, and where nobody tried", async () => {
  const doubtful = [{ tree: "mixed", paths: ["Makefile"], was: ["test_price.cc"] }];
  const ends = { ...GREEN, mixed: { ...BOTH, "t.js › b": "failed" } as const };
  const { question } = await runCommit({ ends, exam: { ...EXAM, doubtful, tangled: ["a.json", "b.json"] } });
  const shown = JSON.stringify(question?.show);
  expect(shown).toContain("Old tests fail with Makefile as it is now and test_price.cc as it was");
  expect(shown).toContain("Any of 2 files may belong to the tests or to the code");
});
