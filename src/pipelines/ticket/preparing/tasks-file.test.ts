import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isTrivial, listWritablePaths, readTasks } from "./tasks-file.ts";

const task = (id: string, group: string, more: object = {}) => ({
  id,
  description: "d",
  files_to_modify: [`${id}.ts`],
  success_criteria: ["c"],
  parallel_group: group,
  depends_on: [],
  status: "PENDING",
  ...more,
});
const graph = (more: object = {}) => ({
  validation_policy: {},
  tasks: [task("T1", "A"), task("T2", "A"), task("T3", "B", { depends_on: ["T1"] })],
  parallel_groups: { A: ["T1", "T2"], B: ["T3"] },
  execution_order: [
    { group: "A", strategy: "parallel", tasks: ["T1", "T2"] },
    { group: "B", strategy: "sequential", tasks: ["T3"] },
  ],
  strategy: "mixed",
  ...more,
});
const read = (more: object = {}) => readTasks(stringify(graph(more)));
const problems = (more: object): readonly string[] => {
  const all = read(more);
  return all.ok ? [] : all.problems;
};
const listProblemsWithout = (field: string) => {
  const { [field]: _, ...rest } = graph() as Record<string, unknown>;
  const all = readTasks(stringify(rest));
  return all.ok ? [] : all.problems;
};

describe("tasks.yaml", () => {
  it("[T-11] is accepted if it is complete", () => {
    expect(problems({})).toEqual([]);
    expect(readTasks(undefined)).toEqual({ ok: false, problems: ["expected a file, found none"] });
    expect(readTasks("a: [")).toMatchObject({ ok: false, problems: [expect.stringContaining("expected YAML")] });
  });

  it.each(["validation_policy", "tasks", "parallel_groups", "execution_order", "strategy"])(
    "[T-11] is refused without %s",
    (field) => {
      expect(listProblemsWithout(field)).toEqual([
        expect.stringMatching(new RegExp(`^${field}: expected .*, found nothing$`)),
      ]);
    },
  );

  it("[T-11] is refused if the groups are a list, or the order contains no objects", () => {
    expect(problems({ parallel_groups: [["T1"]] })).toEqual([
      "parallel_groups: expected record, found a list of 1 item",
    ]);
    expect(problems({ execution_order: ["A"] })).toEqual(['execution_order[0]: expected object, found "A"']);
  });

  it.each(["id", "description", "files_to_modify", "success_criteria", "parallel_group", "depends_on", "status"])(
    "[T-11] names the task and the field when %s is missing",
    (field) => {
      const { [field]: _, ...rest } = task("T1", "A") as Record<string, unknown>;
      const found = problems({ tasks: [rest, task("T2", "A"), task("T3", "B")] });
      const item = field === "id" ? "tasks\\[0\\]" : "tasks\\[0\\] \\(T1\\)";
      expect(found).toEqual([expect.stringMatching(new RegExp(`^${item}.${field}: expected .*, found nothing$`))]);
    },
  );

  it("[T-11] reports all problems at once", () => {
    const tasks = [task("T1", "A", { depends_on: "x", files_to_modify: ["../x"] }), task("T2", "A"), task("T3", "B")];
    expect(problems({ tasks, strategy: 1 })).toHaveLength(3);
  });

  it.each(["src/**", "/etc/passwd", "../x", "prompts/ABC-1/progress.yaml", ".git/config"])(
    "[T-53] allows no task to write %s",
    (path) => {
      const tasks = [task("T1", "A", { files_to_modify: [path] }), task("T2", "A"), task("T3", "B")];
      expect(problems({ tasks })[0]).toContain("expected the path of a file of the project");
    },
  );

  it("[T-12] refuses a file that two tasks of a parallel group share", () => {
    const sharing = (group: string) => ({
      tasks: [
        task("T1", group, { files_to_modify: ["x"] }),
        task("T2", group, { test_files: ["./x"] }),
        task("T3", group === "A" ? "B" : "A"),
      ],
    });
    expect(problems(sharing("A"))).toEqual([
      "execution_order (A): expected tasks without common files, found x in several",
    ]);
    const order = [
      { group: "A", strategy: "parallel", tasks: ["T3"] },
      { group: "B", strategy: "sequential", tasks: ["T1", "T2"] },
    ];
    expect(
      problems({ ...sharing("B"), parallel_groups: { A: ["T3"], B: ["T1", "T2"] }, execution_order: order }),
    ).toEqual([]);
  });

  it("[T-41] requires each task in exactly one group, the one that it names", () => {
    expect(problems({ parallel_groups: { A: ["T1", "T2", "T3"], B: ["T3"] } })).toEqual([
      "parallel_groups (T3): expected only in B, found in A, B",
    ]);
    expect(problems({ parallel_groups: { A: ["T1"], B: ["T3"] } })).toEqual([
      "parallel_groups (T2): expected only in A, found in none",
    ]);
  });

  it("[T-41] requires each task in one entry of the order", () => {
    const order = (second: object) => [{ group: "A", strategy: "parallel", tasks: ["T1", "T2"] }, second];
    expect(problems({ execution_order: order({ group: "B", strategy: "sequential", tasks: [] }) })).toContain(
      "execution_order (T3): expected in the one entry of B, found in none",
    );
    expect(
      problems({ execution_order: order({ group: "B", strategy: "sequential", tasks: ["T3", "T2"] }) })[0],
    ).toContain("execution_order (T2)");
  });

  it.each([
    ["unknown", "T9"],
    ["of the same group", "T2"],
    ["of a later group", "T3"],
    ["itself", "T1"],
  ])("[T-41] refuses a dependency that is %s", (_, id) => {
    const tasks = [task("T1", "A", { depends_on: [id] }), task("T2", "A"), task("T3", "B")];
    expect(problems({ tasks })).toEqual([`tasks (T1).depends_on: expected tasks of earlier groups, found ${id}`]);
  });

  it("[T-41] refuses two tasks with one id, and ids of no task", () => {
    const twice = problems({ tasks: [task("T1", "A"), task("T1", "A"), task("T2", "A"), task("T3", "B")] });
    expect(twice).toContain("tasks (T1): expected one task of that id, found several");
    expect(problems({ parallel_groups: { A: ["T1", "T2", "T9"], B: ["T3"] } })).toEqual([
      "parallel_groups, execution_order: expected ids of tasks, found T9",
    ]);
  });

  it("[T-43] keeps every field of a task, including additional ones", () => {
    const all = read({ tasks: [task("T1", "A", { code_examples: ["x()"] }), task("T2", "A"), task("T3", "B")] });
    expect(all.ok && all.value.tasks[0]).toMatchObject({ code_examples: ["x()"] });
  });

  it("[T-47] takes its allowlist and scope from the validation policy", () => {
    const all = read({ validation_policy: { baseline_allowlist: ["gen/**"] } });
    if (!all.ok) throw new Error(all.problems.join());
    const [first] = all.value.tasks;
    expect(first && listWritablePaths(first, all.value).filter((path) => !path.startsWith("!"))).toEqual([
      "T1.ts",
      "gen/**",
    ]);
    expect(all.value.validation_policy.baseline_scope).toBe("code_and_tests_only");
    expect(problems({ validation_policy: { baseline_scope: "some" } })).toHaveLength(1);
  });

  it("[T-15] is trivial with one task, two files and no mandate", () => {
    const of = (...tasks: object[]) => {
      const ids = tasks.map((_, at) => `T${at}`);
      const all = tasks.map((more, at) => task(`T${at}`, "A", more));
      const order = [{ group: "A", strategy: "sequential", tasks: ids }];
      const made = read({ tasks: all, parallel_groups: { A: ids }, execution_order: order });
      if (!made.ok) throw new Error(made.problems.join());
      return isTrivial(made.value);
    };
    expect(of({ files_to_modify: ["a", "b"] })).toBe(true);
    expect(of({ files_to_modify: ["a", "b", "c"] })).toBe(false);
    expect(of({ tool_mandates: ["use X"] })).toBe(false);
    expect(of({}, {})).toBe(false);
  });
});
