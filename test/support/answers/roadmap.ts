import type { AttemptRequest } from "../../../src/core/journal/effect.ts";
import { roadmap } from "../../../src/pipelines/roadmap/index.ts";
import { type Play, paperWorld } from "./paper-world.ts";
import { anyInput, COMMANDS, cast, type Scenario, takeFirst } from "./scenario.ts";

const ADR = "docs/adr/ADR-001-store.md";

const createItem = (id: number, complexity: string, more: object = {}) => ({
  id,
  title: `Item ${id}`,
  priority: id,
  complexity,
  status: "ready",
  dependencies: id > 1 ? [id - 1] : [],
  acceptanceCriteria: ["it works"],
  verification: ["make test", "look at the page"],
  planningResearch: null,
  ...more,
});
const ITEMS = [createItem(1, "simple"), createItem(2, "medium"), createItem(3, "complex")];

/** Returns the file at this moment: the look's key gives the iteration, and whether the item was started. */
function renderRoadmapFile(path: string, id: string): string | undefined {
  if (path !== "roadmap.json") return undefined;
  const [, phase = "", number = "1"] = /\/(Select|Record)\/iteration-(\d+)\//.exec(id) ?? [];
  const current = phase === "Record" ? "in_progress" : "ready";
  const getStatus = (item: number) => (item < Number(number) ? "done" : item === Number(number) ? current : "ready");
  return JSON.stringify({ items: ITEMS.map((each) => ({ ...each, status: getStatus(each.id) })), learnings: [] });
}

const success = { status: "success", evidence: ["done as asked"] };
const answers: Readonly<Record<string, (request: AttemptRequest) => Play>> = {
  Research: () => ({ contract: success }),
  Architect: ({ instance }) =>
    instance === "Architect (design)"
      ? { contract: { ...success, mode: "design", adr: ADR }, files: { [ADR]: "# Store\n" } }
      : { contract: { ...success, mode: "validation" } },
  Implement: ({ task }) => ({
    contract: { ...success, files: [`src/item-${task}.ts — the item`], learnings: [`item ${task} is one file`] },
    files: { [`src/item-${task}.ts`]: "export {};\n" },
  }),
  Testing: ({ task }) => ({ contract: success, files: { [`test/item-${task}.test.ts`]: "export {};\n" } }),
  Review: () => ({ contract: { ...success, verdict: "ship" } }),
};

const createScenario = (name: string, parts: typeof answers, expect: Scenario["expect"]): Scenario => {
  const pipeline = anyInput(roadmap);
  const play = cast({ ...answers, ...parts });
  return {
    name: `roadmap: ${name}`,
    pipeline,
    input: { file: "roadmap.json" },
    approvals: "interactive",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, play, checkout: renderRoadmapFile }),
    answer: takeFirst,
    expect,
  };
};

export const roadmapScenarios: readonly Scenario[] = [
  createScenario(
    "every item is done, each by the steps of its complexity",
    {},
    {
      status: "done",
      exit: 0,
      reason: "COMPLETE",
      gates: {
        "answer of Implement": true,
        "answer of Testing": true,
        "answer of Review": true,
        "answer of Research": true,
        "answer of Architect (design)": true,
        "answer of Architect (validation)": true,
      },
      commits: 3,
    },
  ),
  createScenario(
    "a failing test blocks the item and stops the loop",
    { Testing: () => ({ contract: { ...success, failures: ["greets\n  expected a\n  got b\n  at line 4"] } }) },
    {
      status: "blocked",
      exit: 3,
      reason: 'item 1 "Item 1": Testing: test_failure: 1 failing test',
      gates: { "answer of Implement": true, "answer of Testing": false },
      commits: 0,
    },
  ),
];
