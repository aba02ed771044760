import { stringify } from "yaml";
import type { Json } from "../../../src/core/text/json.ts";
import { actionsOf, announcedAs, changeOf, type MakeCast, type Plot, plannedOf } from "./cast.ts";

const FOLDER = "docs/feature/work";
const MEMORY = "## Memory\n\n- one function is enough\n";
const DONE = { line: "DONE", message: "as asked, all tests pass" };

type Leaves = Readonly<Record<string, string>>;

const writer = (role: string, files: Leaves, more: { readonly [key: string]: Json } = {}): Json => ({
  role,
  ...more,
  do: Object.entries(files).map(([path, content]) => ({ write: { path: `${FOLDER}/${path}`, content } })),
  output: DONE,
});
const report = (folder: string, name: string): Json =>
  writer(name, { [`${folder}/${name}.md`]: `# ${name}\n\nNothing to object to.\n` });

const FOCUSES = ["architecture", "impact", "dependencies", "patterns"];

export const clusters: MakeCast = (plot) => ({
  args: [plot.request, "--input", "slug=work"],
  files: {},
  worker: "implementer",
  agents: [
    ...FOCUSES.map((focus) =>
      writer("researcher", { [`research/${focus}.md`]: `# ${focus}\n` }, { instance: `researcher-${focus}` }),
    ),
    writer("researcher", { "analysis.md": `# Analysis\n\n${MEMORY}` }),
    writer("spec", { "feature.md": `# Feature\n\n${plot.request}\n\n${MEMORY}` }),
    writer("designer", { "design.md": `# Design\n\n${MEMORY}` }),
    ...["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy"].map((name) => report("ct-review", name)),
    writer("ct-aggregator", { "design_critical_review.md": `# Design review\n\n${MEMORY}` }),
    writer("planner", {
      "plan.md": `# Plan\n\n### Wave 1 (parallel)\n- 01-work\n\n${MEMORY}`,
      "tasks/01-work.md": taskFile(plot),
    }),
    { role: "implementer", do: actionsOf(changeOf(plot.work), plot.work.run), output: DONE },
    ...["v-build", "v-tests", "v-tasks", "v-feature"].map((name) => report("verification", name)),
    writer("v-aggregator", { "verifier.md": `# Verification\n\n${MEMORY}` }),
    ...["r-quality", "r-security", "r-testing"].map((name) => report("review", name)),
    writer("r-knowledge", {
      "review/r-knowledge.md": "# Knowledge\n\nNothing was done twice.\n",
      "review/knowledge-suggestions.md": "Nothing to propose.\n",
      "decisions.md": "# Decisions\n\n## The work\n\nOne function.\n",
    }),
    writer("r-aggregator", { "review.md": `# Review\n\n${MEMORY}` }),
  ],
});

function taskFile(plot: Plot): string {
  const front = stringify({ id: "01-work", files: plannedOf(plot.work), ...announcedAs("behaviour_changes", plot) });
  const told = plot.told.map((name) => `Changes: ${name}\n`).join("");
  return `---\n${front}---\n\n# 01-work\n\nAcceptance: it does what was asked for.\n${told}`;
}
