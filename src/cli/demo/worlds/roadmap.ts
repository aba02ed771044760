import type { RealWorld } from "../world.ts";

const createItem = (id: number, title: string, more: object) => ({
  id,
  title,
  priority: id,
  complexity: "simple",
  status: "ready",
  dependencies: id > 1 ? [id - 1] : [],
  acceptanceCriteria: [`${title}: it works`],
  verification: ["node check.mjs", "read the notes"],
  planningResearch: null,
  ...more,
});

/** A new project: design, scaffold, and the first complex item. */
const ITEMS = [
  createItem(1, "Architect (design)", { complexity: "medium", verification: [] }),
  createItem(2, "Scaffold project from ADR", {}),
  createItem(3, "Search notes", { complexity: "complex" }),
];

const ADR = "docs/adr/ADR-001-notes.md";
const success = { status: "success", evidence: ["done as the criteria ask"] };
const createModule = (name: string) => ({ path: `src/${name}.mjs`, content: `export const ${name} = true;\n` });
const NAMES = { 2: "app", 3: "search" } as const;

const builds = Object.entries(NAMES).map(([task, name]) => ({
  role: "Implement",
  task,
  do: [{ write: createModule(name) }],
  output: { ...success, files: [`src/${name}.mjs — ${name}`], learnings: [`${name} is one module`] },
}));
const tests = Object.entries(NAMES).map(([task, name]) => ({
  role: "Testing",
  task,
  do: [{ write: { path: `tests/${name}.test.mjs`, content: `import "../src/${name}.mjs";\n` } }],
  output: success,
}));
const designs = [1, 3].map((task) => {
  const path = task === 1 ? ADR : `docs/adr/ADR-00${task}.md`;
  return {
    role: "Architect",
    instance: "Architect (design)",
    task: String(task),
    do: [{ write: { path, content: `# ADR ${task}\n\nStatus: Accepted\n` } }],
    output: { ...success, mode: "design", adr: path, boundaries: ["modules know no files"] },
  };
});

export const world: RealWorld = {
  pipeline: "roadmap",
  args: [],
  files: {
    "README.md": "# Notes\n",
    "check.mjs": 'import { existsSync } from "node:fs";\nprocess.exit(existsSync("README.md") ? 0 : 1);\n',
    "roadmap.json": `${JSON.stringify({ items: ITEMS, learnings: [] }, null, 2)}\n`,
  },
  config: "commands:\n  test: node check.mjs\n",
  agents: [
    ...builds,
    ...tests,
    ...designs,
    { role: "Architect", output: { ...success, mode: "validation" } },
    { role: "Research", output: success },
    { role: "Review", output: { ...success, verdict: "ship" } },
  ],
  ends: { status: "done", exit: 0, commits: 3 },
  keeps: [ADR, ...Object.values(NAMES).flatMap((name) => [`src/${name}.mjs`, `tests/${name}.test.mjs`])],
};
