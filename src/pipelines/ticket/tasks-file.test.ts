import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ACCEPTED, changesArchitecture, deferredIn, GREEN, INSIDE, ONLY_DOCS } from "./rules.ts";
import { isTrivial, readTasks } from "./tasks-file.ts";

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
const problems = (more: object): readonly string[] => {
  const read = readTasks(stringify(graph(more)));
  return read.ok ? [] : read.problems;
};

describe("tasks.yaml", () => {
  it("[T-11] is taken when it is whole, and refused when the groups are a list", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ parallel_groups: [["T1"]] })[0]).toMatch(/^parallel_groups: /);
    expect(problems({ execution_order: ["A"] })[0]).toMatch(/^execution_order.0: /);
    expect(readTasks(undefined)).toEqual({ ok: false, problems: ["there is no tasks.yaml"] });
  });

  it("[T-12] refuses a file that two tasks of a parallel group share", () => {
    const tasks = [
      task("T1", "A", { files_to_modify: ["x"] }),
      task("T2", "A", { test_files: ["x"] }),
      task("T3", "B"),
    ];
    expect(problems({ tasks })).toEqual(["tasks of the parallel group A share x"]);
  });

  it("[T-41] wants each task in one group and one entry, and dependencies in earlier groups", () => {
    expect(problems({ parallel_groups: { A: ["T1", "T2", "T3"], B: ["T3"] } })).toEqual([
      "T3 is not in exactly its own group",
    ]);
    expect(problems({ tasks: [task("T1", "A", { depends_on: ["T3"] }), task("T2", "A"), task("T3", "B")] })).toEqual([
      "T1 depends on T3, which is in no earlier group",
    ]);
    expect(
      problems({ tasks: [task("T1", "A", { depends_on: ["T9"] }), task("T2", "A"), task("T3", "B")] }),
    ).toHaveLength(1);
  });

  it("[T-15] is trivial with one task, two files and no mandate", () => {
    const of = (...tasks: object[]) => {
      const ids = tasks.map((_, at) => `T${at}`);
      const all = tasks.map((more, at) => task(`T${at}`, "A", more));
      const order = [{ group: "A", strategy: "sequential", tasks: ids }];
      const read = readTasks(stringify(graph({ tasks: all, parallel_groups: { A: ids }, execution_order: order })));
      if (!read.ok) throw new Error(read.problems.join());
      return isTrivial(read.tasks);
    };
    expect(of({ files_to_modify: ["a", "b"] })).toBe(true);
    expect(of({ files_to_modify: ["a", "b", "c"] })).toBe(false);
    expect(of({ tool_mandates: ["use X"] })).toBe(false);
    expect(of({}, {})).toBe(false);
  });
});

describe("a plan", () => {
  it("[T-10] that puts research off is found by its line", () => {
    expect(deferredIn("Use x.\nThe port is TBD.\nfigure out the rest")).toEqual([
      "The port is TBD.",
      "figure out the rest",
    ]);
  });

  it("[T-10] may quote the words, show them in code, name them, or have them as evidence", () => {
    const plan = ['He said "TBD".', "Call `figure out()`.", "```", "// TODO", "```", "Add a TODO list.", "> TBD"];
    expect(deferredIn([...plan, "## Research Performed", "TODO was found in a.ts"].join("\n"))).toEqual([]);
  });
});

describe("acceptance", () => {
  const worked = (more: object = {}) => ({ id: "T1", status: "DONE" as const, summary: "", outside: [], ...more });

  it("[T-17] refuses work outside the task's files and names them", () => {
    expect(INSIDE.judge({ works: [worked()] }).passed).toBe(true);
    expect(INSIDE.judge({ works: [worked({ outside: ["x.ts"] })] })).toMatchObject({
      passed: false,
      findings: [{ files: ["x.ts"], by: "T1" }],
    });
  });

  it("[T-18] goes by what got worse, not by what was red before", () => {
    const evidence = (before: boolean) => ({
      passed: false,
      checks: [
        {
          name: "test",
          passed: false,
          exitCode: 1,
          snippet: "",
          before,
          outcome: before ? ("regression" as const) : ("red-before" as const),
        },
      ],
    });
    expect(GREEN.judge({ evidence: evidence(true), conflicts: [] }).passed).toBe(false);
    expect(GREEN.judge({ evidence: evidence(false), conflicts: [] }).passed).toBe(true);
  });

  it("[T-22] needs the word ACCEPTED, and a rejection always says why", () => {
    const report = { summary: "late", findings: [] };
    expect(ACCEPTED.judge({ report: { ...report, status: "ACCEPTED" } }).passed).toBe(true);
    expect(ACCEPTED.judge({ report: { ...report, status: "REJECTED" } })).toMatchObject({
      passed: false,
      findings: [{ message: "late" }],
    });
  });

  it("[T-24] documents follow when a manifest, an entry point or the layout changed, and nothing else changes after the review", () => {
    expect(changesArchitecture([{ path: "package.json", status: "modified" }])).toBe(true);
    expect(changesArchitecture([{ path: "src/new/a.ts", status: "added" }])).toBe(true);
    expect(changesArchitecture([{ path: "src/a.ts", status: "modified" }])).toBe(false);
    expect(ONLY_DOCS.judge({ since: ["docs/ARCHITECTURE.md"], accepted: true }).passed).toBe(true);
    expect(ONLY_DOCS.judge({ since: ["src/a.ts"], accepted: true }).passed).toBe(false);
  });
});
