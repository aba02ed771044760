import type { Json } from "../../../core/text/json.ts";
import type { RealWorld } from "../world.ts";

const FOLDER = "docs/feature/greet-people";

type FileTexts = Readonly<Record<string, string>>;

const toWrites = (files: FileTexts): Json[] =>
  Object.entries(files).map(([path, content]) => ({ write: { path: `${FOLDER}/${path}`, content } }));
const DONE = { line: "DONE", message: "as asked" };
const MEMORY = "## Memory\n\n- one function is enough\n";

/** Agent that writes these documents. */
const createWriter = (role: string, files: FileTexts, more: { readonly [key: string]: Json } = {}): Json => ({
  role,
  ...more,
  do: toWrites(files),
  output: DONE,
});

const FOCUSES = ["architecture", "impact", "dependencies", "patterns"];
const createReporter = (folder: string, name: string): Json =>
  createWriter(name, { [`${folder}/${name}.md`]: `# ${name}\n\nNothing to object to.\n` });

const formatTaskFile = (id: string, more: string): string =>
  `---\nid: ${id}\n${more}---\n\n# ${id}\n\nAcceptance: it is there.\n`;
const PLAN = {
  "plan.md": `# Plan\n\n### Wave 1 (parallel)\n- 01-greet\n- 02-wave\n\n### Wave 2 (parallel)\n- 03-guide\n\n${MEMORY}`,
  "tasks/01-greet.md": formatTaskFile("01-greet", "files: [src/greet.js]\n"),
  "tasks/02-wave.md": formatTaskFile("02-wave", "files: [src/wave.js]\n"),
  "tasks/03-guide.md": formatTaskFile(
    "03-guide",
    "agent: documentation-writer\ndepends_on: [01-greet, 02-wave]\nfiles: [docs/guide.md]\n",
  ),
};

/** Two parallel tasks, then a guide; every review passes; one commit. */
export const world: RealWorld = {
  pipeline: "clusters",
  args: ["Greet people"],
  files: { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" },
  config: "commands:\n  build: test -f README.md\n  test: test -d src\n",
  agents: [
    ...FOCUSES.map((focus) =>
      createWriter("researcher", { [`research/${focus}.md`]: `# ${focus}\n` }, { instance: `researcher-${focus}` }),
    ),
    createWriter("researcher", { "analysis.md": `# Analysis\n\n${MEMORY}` }),
    createWriter("spec", { "feature.md": `# Feature\n\n${MEMORY}` }),
    createWriter("designer", { "design.md": `# Design\n\n${MEMORY}` }),
    ...["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy"].map((name) =>
      createReporter("ct-review", name),
    ),
    createWriter("ct-aggregator", { "design_critical_review.md": `# Design review\n\n${MEMORY}` }),
    createWriter("planner", PLAN),
    {
      role: "implementer",
      do: [{ run: 'mkdir -p src; echo "export const it = 1;" > src/$(echo $SIGNALBOX_TASK | cut -c4-).js' }],
      output: { line: "DONE", message: "built; no folder → made one" },
    },
    {
      role: "documentation-writer",
      do: [{ write: { path: "docs/guide.md", content: "# Guide\n\n## Use\n\nSay hello.\n" } }],
      output: { line: "DONE", message: "a guide for users" },
    },
    ...["v-build", "v-tests", "v-tasks", "v-feature"].map((name) => createReporter("verification", name)),
    createWriter("v-aggregator", { "verifier.md": `# Verification\n\n${MEMORY}` }),
    ...["r-quality", "r-security", "r-testing"].map((name) => createReporter("review", name)),
    createWriter("r-knowledge", {
      "review/r-knowledge.md": "# Knowledge\n\nNothing was done twice.\n",
      "review/knowledge-suggestions.md": "Nothing to propose.\n",
      "decisions.md": "# Decisions\n\n## Greet people\n\nOne function per gesture.\n",
    }),
    createWriter("r-aggregator", { "review.md": `# Review\n\n${MEMORY}` }),
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: [
    "src/old.js",
    "src/greet.js",
    "src/wave.js",
    "docs/guide.md",
    ...["memory.md", "review.md", "decisions.md", "tasks/03-guide.md"].map((path) => `${FOLDER}/${path}`),
  ],
};
