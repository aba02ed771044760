import { expect, test } from "vitest";
import { BOTH, runCommit } from "./run-commit.fixture.ts";

const TYPES = {
  commands: [
    { name: "types", run: "tsc --noEmit" },
    { name: "test", run: "node --test" },
  ],
};
const oldSettings = { tree: "old-settings", paths: ["tsconfig.json"], lines: ["tsc --noEmit"] };

test("[A-39] a check that passes only with its new settings is shown to a person", async () => {
  const { driven, question, lines, commits } = await runCommit({
    ends: { "old-settings types": 2 },
    exam: { oldSettings },
    order: TYPES,
  });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(commits()).toBe(0);
  const shown = JSON.stringify(question?.show);
  expect(shown).toContain('\\"types\\" passes on the new code only because its settings changed');
  expect(shown).toContain("tsconfig.json as it was");
  expect(shown).toContain("AssertionError: 1 is not 2");
  expect(lines.filter((line) => line.startsWith("old-settings"))).toEqual(["old-settings types", "old-settings types"]);
});

test("a check that passes with its old settings too is not asked about", async () => {
  const { driven, lines } = await runCommit({ ends: {}, exam: { oldSettings }, order: TYPES });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  expect(lines.filter((line) => line.startsWith("old-settings"))).toEqual(["old-settings types"]);
});

test("a check that fails once with its old settings and then passes is not asked about", async () => {
  const { driven } = await runCommit({ ends: { "old-settings types": [2, 0] }, exam: { oldSettings }, order: TYPES });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
});

test("a newer linter that cannot read the old settings is asked with the old packages", async () => {
  const exam = { oldSettings: { ...oldSettings, oldPackages: "old-packages" } };
  const { driven } = await runCommit({ ends: { "old-settings types": 2 }, exam, order: TYPES });
  expect(driven).toMatchObject({ status: "done", exit: 0 });
  const ends = { "old-settings types": 2, "old-packages types": 2 };
  expect((await runCommit({ ends, exam, order: TYPES })).driven).toMatchObject({ status: "waiting", exit: 3 });
});

test("[A-36] [A-39] a check that was red is not repaired by its settings", async () => {
  const ends = { "base types": 2, "old-settings types": 2 };
  const { question } = await runCommit({ ends, exam: { oldSettings }, order: TYPES });
  expect(JSON.stringify(question?.show)).toContain("because its settings changed");
});

test("a check that was red before says nothing about its settings", async () => {
  const ends = { "base types": 2, "new types": 2, "old-settings types": 2 };
  const { question } = await runCommit({ ends, exam: { oldSettings }, order: TYPES });
  expect(JSON.stringify(question?.show ?? {})).not.toContain("because its settings changed");
});

test("[A-27] a type check that was red shows work on types, unless only its settings changed", async () => {
  const ends = { "base types": 2, "base test": BOTH, "new test": BOTH, "old-settings test": BOTH } as const;
  const shown = await runCommit({ ends, exam: {}, order: TYPES, declared: "fix" });
  expect(shown.driven).toMatchObject({ status: "done", exit: 0 });
  const loose = { ...ends, "old-settings types": 2 };
  const { question } = await runCommit({ ends: loose, exam: { oldSettings }, order: TYPES, declared: "fix" });
  expect(JSON.stringify(question?.show)).toContain("no test is red without it");
});
