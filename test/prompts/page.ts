import type { PipelinePrompts, Prompt } from "./prompts.ts";

/** Renders the first prompt of each role, and the first of a later round if there is one. */
export function pageOf({ pipeline, runs }: PipelinePrompts): string {
  const chosen = pipeline.roles.flatMap(({ name }) => {
    const all = runs.flatMap(({ prompts }) => prompts).filter(({ role }) => role === name);
    return [all.find(({ round }) => round <= 1), all.find(({ round }) => round > 1)].filter(
      (each) => each !== undefined,
    );
  });
  const head = `# Prompts of ${pipeline.name}\n\nWritten by \`npm run prompts\`; do not edit. What agents without a definition of their own are sent, in the runs that the\ntests play: the first dispatch of each role, and the first of a later round.\n`;
  return [head, ...chosen.map(renderSection)].join("\n");
}

function renderSection({ role, round, text }: Prompt): string {
  const title = round > 1 ? `${role}, round ${round}` : role;
  return `## ${title}\n\n${text.length.toLocaleString("en")} characters.\n\n${fenceText(removeVariables(text))}\n`;
}

/** Uses a fence longer than any fence in the text. */
function fenceText(text: string): string {
  const longest = Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1));
  const fence = "`".repeat(longest);
  return `${fence}text\n${text.trim()}\n${fence}`;
}

/** Removes names and times of runs, which differ each time. */
const removeVariables = (text: string): string =>
  text
    .replaceAll(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, "<run>")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");

export function indexOf(all: readonly PipelinePrompts[]): string {
  const rows = all.map(({ pipeline, runs }) => {
    const [first] = runs;
    const prompts = first?.prompts ?? [];
    const characters = prompts.reduce((sum, { text }) => sum + text.length, 0);
    const repeated = Math.round(100 * repeatedShare(prompts.map(({ text }) => text)));
    const cells = [`[${pipeline.name}](${pipeline.name}.md)`, first?.name.replace(/^\w+: /, "") ?? ""];
    return `| ${[...cells, prompts.length, characters.toLocaleString("en"), `${repeated} %`].join(" | ")} |`;
  });
  return [
    "# Prompts",
    "",
    "Written by `npm run prompts`; do not edit. Every word that a role is told, pipeline by pipeline. A definition of the",
    "repository's own ([agents](../../../docs/reference/configuration.md)) takes the place of the first part: who the agent is.",
    "",
    "Counted over one run each, as the tests play it. Repeated is the share of characters in lines of 40 and more that stood",
    "in an earlier prompt of the same run: the same role in another place, or the same fact for another role.",
    "",
    "| pipeline | run | dispatches | characters | repeated |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const LONG_LINE = 40;

export function repeatedShare(texts: readonly string[]): number {
  const seen = new Set<string>();
  let repeated = 0;
  for (const text of texts) {
    const lines = text.split("\n").filter((line) => line.trim().length >= LONG_LINE);
    for (const line of lines) if (seen.has(line.trim())) repeated += line.length;
    for (const line of lines) seen.add(line.trim());
  }
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  return all === 0 ? 0 : repeated / all;
}
