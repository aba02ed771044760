import { describe, expect, it } from "vitest";
import { findFailingTasks, readPlan, readTask } from "./task-files.ts";

const file = (id: string, more = "") => ({ path: `tasks/${id}.md`, text: `---\nid: ${id}\n${more}---\n# ${id}\n` });
const ids = (waves: readonly (readonly { id: string }[])[]) => waves.map((wave) => wave.map(({ id }) => id));

describe("a task file", () => {
  it("is read from its front matter", () => {
    const text =
      "---\nid: 01-a\nagent: documentation-writer\ndepends_on: [00-z]\nfiles:\n  - docs/a.md\ndeletes: [old.md]\n---\n# A\n";
    expect(readTask({ path: "tasks/01-a.md", text })).toEqual({
      task: {
        id: "01-a",
        path: "tasks/01-a.md",
        agent: "documentation-writer",
        depends_on: ["00-z"],
        files: ["docs/a.md"],
        deletes: ["old.md"],
      },
      warnings: [],
      problems: [],
    });
  });

  it("is read from its labelled lines if it has no front matter", () => {
    const text = "# Guide\n\n**Agent:** `documentation-writer`\n- depends_on: 01-a, 02-b\nfiles: docs/a.md\n";
    expect(readTask({ path: "tasks/03.md", text }).task).toMatchObject({
      id: "03",
      agent: "documentation-writer",
      depends_on: ["01-a", "02-b"],
      files: ["docs/a.md"],
    });
    expect(readTask({ path: "tasks/04.md", text: "depends_on: none\n" }).task?.depends_on).toEqual([]);
  });

  it("[A-28] may declare its kind of work and planned behavior changes", () => {
    const change = "behaviour_changes:\n  - was: quiet\n    becomes: loud\n    tests: a.test.ts › is quiet\n";
    expect(readTask(file("01-a", `kind: Fix\n${change}`)).task).toMatchObject({
      kind: "fix",
      behaviour_changes: [{ was: "quiet", becomes: "loud", tests: ["a.test.ts › is quiet"] }],
    });
    expect(readTask({ path: "tasks/02.md", text: "# Two\n\n**Kind:** feature\n" }).task?.kind).toBe("feature");
    expect(readTask(file("03", "kind: none\nbehaviour_changes: []\n")).task).not.toHaveProperty("kind");
    expect(readTask(file("04", "kind: miracle\n")).problems).toEqual([
      'tasks/04.md: kind: expected fix, feature, refactor, docs, other, found "miracle"',
    ]);
  });

  it("may name its dependencies and files on one line", () => {
    const { task } = readTask(file("03", "depends_on: 01-a, 02-b\nfiles: src/c.ts\n"));
    expect(task).toMatchObject({ depends_on: ["01-a", "02-b"], files: ["src/c.ts"] });
    const said = readTask({ path: "tasks/04.md", text: "- **Depends On:** task 01-a, and nothing else\n" });
    expect(said.task?.depends_on).toEqual(["01-a"]);
  });

  it.each([
    [
      "headings",
      "# Task 03: Shout\n\n## Agent\n\ndocumentation-writer\n\n## Depends On\n\n01, 02\n\n## Goal\n\nShout.\n",
    ],
    ["lower-case headings", "## depends_on\n\n- 01 (the words)\n- 02\n\n## agent\n\n`documentation-writer`\n"],
    ["bold lines", "**depends_on:** 01, 02 — they define the words\n\n**agent:** documentation-writer\n\n---\n"],
    [
      "front matter with remarks",
      "---\ndepends_on: 01, 02 — they define the words\nagent: documentation-writer\n---\n",
    ],
    ["a list with remarks", "---\ndepends_on:\n  - 01 — the words\n  - 02\nagent: documentation-writer\n---\n"],
  ])("names its agent and dependencies in %s", (_form, text) => {
    expect(readTask({ path: "tasks/03-shout.md", text }).task).toMatchObject({
      agent: "documentation-writer",
      depends_on: ["01", "02"],
    });
  });

  it.each(["none — but defines the words that 02 uses", "None", "n/a", "—", "[]"])(
    "has no dependencies if it says %j",
    (said) => {
      const all = [`depends_on: ${said}\n`, `## Depends On\n\n${said}\n`, `- **Depends On:** ${said}\n`];
      for (const text of all) expect(readTask({ path: "tasks/01.md", text }).task?.depends_on).toEqual([]);
    },
  );

  it("lists its files below a heading, each with a remark", () => {
    const text =
      "## Output File\n\n- `src/a.ts` (changed — the greeting)\n- `test/a.test.ts`\n\n## Steps\n\n- `src/b.ts`\n";
    expect(readTask({ path: "tasks/01.md", text }).task?.files).toEqual(["src/a.ts", "test/a.test.ts"]);
    expect(readTask({ path: "tasks/01.md", text: "**Output file:** `src/a.ts`\n" }).task?.files).toEqual(["src/a.ts"]);
  });

  it("[C-11] a task without an agent gets an implementer", () => {
    expect(readTask({ path: "tasks/02.md", text: "# no front matter" })).toMatchObject({
      task: { id: "02", agent: "implementer" },
      warnings: [],
    });
  });

  it("[C-11] an unknown agent also becomes an implementer, with a warning", () => {
    const unknown = readTask(file("02", "agent: wizard\n"));
    expect(unknown.task?.agent).toBe("implementer");
    expect(unknown.warnings).toEqual(['tasks/02.md: unknown agent "wizard"; using implementer']);
  });

  it("reports file, field, expected and found for all problems at once", () => {
    const { problems } = readPlan({
      plan: "",
      files: [
        { path: "tasks/a.md", text: "---\n: [\n---\n" },
        { path: "tasks/b.md", text: "---\n- a\n---\n" },
        file("c", "files: { a: src/c.ts }\n"),
        file("d", "depends_on: [zz]\n"),
        { ...file("c"), path: "tasks/e.md" },
        { path: "tasks/f.md", text: "---\nid: a/b\n---\n" },
        file("g"),
      ],
    });
    expect(problems).toEqual([
      expect.stringMatching(/^tasks\/a\.md: front matter: expected YAML, found: /),
      "tasks/b.md: front matter: expected a mapping, found a list",
      'tasks/c.md: files: expected array, found {"a":"src/c.ts"}',
      expect.stringMatching(/^tasks\/f\.md: id: expected letters, .* found "a\/b"$/),
      'tasks/d.md: depends_on: expected the id of a task, found "zz"',
    ]);
    expect(readPlan({ plan: "", files: [file("c"), { ...file("c"), path: "tasks/e.md" }] }).problems).toEqual([
      'tasks/e.md: id: expected a unique id, found "c" a second time',
    ]);
  });
});

describe("waves", () => {
  const plan =
    "# Plan\n\n### Wave 1 (parallel)\n- 01-a (depends_on: none)\n\n### Wave 2\n- `02-b.md`\n\n## Risks\n- 03-c\n";

  it("[C-11] are read from the plan's own groups", () => {
    expect(ids(readPlan({ plan, files: [file("01-a"), file("02-b")] }).waves)).toEqual([["01-a"], ["02-b"]]);
  });

  it.each([
    "**Wave 1 (parallel):**\n\n- 01-a\n\n**Wave 2:**\n\n- 02-b\n",
    "## Wave 1\n- tasks/01-a.md\n## Wave 2\n1. 02: b",
  ])("[C-11] are found in a plan with a slightly different notation: %j", (text) =>
    expect(ids(readPlan({ plan: text, files: [file("01-a"), file("02-b")] }).waves)).toEqual([["01-a"], ["02-b"]]),
  );

  const head = "| Task | File(s) | Agent | Dependencies |\n| ---- | ------- | ----- | ------------ |\n";
  it.each([
    [
      "tables",
      `### Wave 1: Words (2 tasks)\n\n${head}| 01 | a.ts | implementer | none |\n| 02 | b.ts | implementer | — |\n\n### Wave 2: Voice\n\n${head}| 03 | c.ts | implementer | 01, 02 |\n`,
    ],
    [
      "bold bullets",
      "### Wave 1 — Words (parallel)\n\n- **01** — the words (depends_on: none)\n- **02-b** (depends_on: none — but names 03)\n\n> 2 at once.\n\n### Wave 2\n- **03** — the voice (depends_on: 01, 02)\n",
    ],
    [
      "arrows",
      "### Wave 1\n\n4 files.\n\n- **task-01:** words\n- **task-02:** ways\n\n### Wave 2\n\n- **task-03:** voice ← depends on task-01, task-02\n",
    ],
    [
      "an index with a column",
      "## Index\n\n| # | Task | Deps | Wave |\n|---|---|---|---|\n| 01 | Find words | — | 1 |\n| 02 | Find ways | — | 1 |\n| 03 | Find a voice | 01–02 | 2 |\n",
    ],
    ["lines", "Execution:\n\n- Wave 1: 01-a, 02-b\n- **Wave 2:** 03-c\n"],
    ["headings between", "## 1. Wave 1\n\n- 01-a\n- 02-b\n\n#### Why\n\n- 3 reasons\n\n## 2. Wave 2\n\n- 03-c\n"],
  ])("[C-11] are read from %s", (_form, text) => {
    const read = readPlan({ plan: text, files: [file("01-a"), file("02-b"), file("03-c")] });
    expect([ids(read.waves), read.problems]).toEqual([[["01-a", "02-b"], ["03-c"]], []]);
  });

  it("[C-11] identify tasks by number, whatever their file names", () => {
    const files = [file("task-01-words"), file("task-02-voice", "depends_on: 01\n")];
    expect(ids(readPlan({ plan: "", files }).waves)).toEqual([["task-01-words"], ["task-02-voice"]]);
    const twice = [file("01-a"), file("01-b"), file("02-c", "depends_on: 01\n")];
    expect(readPlan({ plan: "", files: twice }).problems).toEqual([
      'tasks/02-c.md: depends_on: expected the id of a task, found "01"',
    ]);
  });

  it("[C-11] that cannot be read are a finding, not one wave with all tasks", () => {
    const files = [file("01-a"), file("02-b"), file("03-c")];
    const text = "### Wave 1\n\nFirst the words.\n\n### Wave 2\n\n- 03-c\n";
    expect(readPlan({ plan: text, files })).toMatchObject({
      waves: [],
      problems: [
        'plan.md: "Wave 1": expected its tasks, as a list or a table that names their ids, found none that could be read',
        "tasks/01-a.md: expected 01-a in one of the waves of plan.md, found it in none",
        "tasks/02-b.md: expected 02-b in one of the waves of plan.md, found it in none",
      ],
    });
  });

  it("[C-11] respect the dependencies that a line of the plan names", () => {
    const text = "### Wave 1\n- 01-a (depends_on: 02-b)\n- 02-b (depends_on: none)\n- Goal: all of it\n";
    expect(ids(readPlan({ plan: text, files: [file("01-a"), file("02-b")] }).waves)).toEqual([["02-b"], ["01-a"]]);
  });

  it("[C-11] ignore tasks without a file, and dependencies on them", () => {
    const text = "### Wave 1\n- 01-a (depends_on: 07-x)\n- 02-ghost\n- Goal: all of it\n";
    expect(readPlan({ plan: text, files: [file("01-a")] }).problems).toEqual([
      "plan.md: 02-ghost: expected its task file tasks/02-ghost.md, found none",
      'plan.md: 01-a: depends_on: expected the id of a task, found "07-x"',
    ]);
  });

  it("[C-11] are derived from dependencies if the plan has no groups", () => {
    const files = [file("a", "depends_on: [b]\n"), file("b"), file("c")];
    expect(ids(readPlan({ plan: "", files }).waves)).toEqual([["b", "c"], ["a"]]);
  });

  it("[C-11] that wait for each other are an invalid plan", () => {
    const files = [file("01-a", "depends_on: [02-b]\n"), file("02-b")];
    expect(readPlan({ plan, files }).problems).toEqual([expect.stringContaining("01-a, 02-b depend on each other")]);
  });

  it("may depend on tasks of an earlier plan", () => {
    const read = readPlan({ plan: "", files: [file("09", "depends_on: [01]\n")], known: ["01"] });
    expect([ids(read.waves), read.problems]).toEqual([[["09"]], []]);
  });
});

describe("the list of failing tasks", () => {
  const tasks = [{ id: "01-a" }, { id: "02-b" }, { id: "03-c" }];

  it("[C-14] has the tasks that the aggregate lists", () => {
    const text =
      "## Tasks\n01-a is fine\n\n## Failing Task IDs\n- 02-b\n\n## Actionable Items\n1. 03-c.md: repair it.\n";
    expect(findFailingTasks(text, tasks)).toEqual(["02-b", "03-c"]);
  });

  it("[C-14] is empty if the aggregate lists none", () => {
    expect(findFailingTasks("# All well\n\n01-a\n", tasks)).toEqual([]);
  });
});
