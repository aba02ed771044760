import type { Cell } from "./cell.ts";
import { floodBytes } from "./limits.ts";
import { GROUPS, MISBEHAVIORS } from "./list.ts";
import { COLUMNS, type ColumnName, type Group, type Misbehavior, NONE, verdictFor } from "./misbehavior.ts";

export type Peak = { readonly column: ColumnName; readonly peakMegabytes: number };
export type PageInput = { readonly cells: readonly Cell[]; readonly peaks: readonly Peak[]; readonly machine: string };

const formatMegabytes = (column: ColumnName): string => `${floodBytes(column) / 1_000_000}`;

const HEAD = `# Agents that misbehave

<!-- Written by \`npm run misbehave\`; do not edit. -->

What comes of an agent that hangs, lies, floods or leaves something behind, for every way in which agents are driven.
Each cell is one dispatch: a real program on the PATH that speaks the driver's protocol and misbehaves as it is told
([test/misbehaving](../test/misbehaving)), started by the real driver and supervisor, in a repository of its own, and
judged as in a run. The code is what the run records; *done* means that the answer is taken, and then the evidence
decides. A dash: this way of talking has no such thing. \`npm test\` plays every cell and demands this code, no survivor,
no secret in the result, and at most 150 MB in the process of the engine.

\`goose\` and \`gemini\` stand for the Agent Client Protocol: one program that says nothing of a failed request but in the
place of an answer, and one that does. \`claude\` and the protocol are spoken by a small program of ours beside the agent.`;

const LIMITS = `Limits were kept short for this: silence 0.7 s (2.5 s for drips, 6 s where a program of ours waits first), wall clock 3 s (8 s for drips), 0.25 s after the
last word, output ${formatMegabytes("command")} MB (${formatMegabytes("goose")} MB where a protocol is spoken). The usual ones are 10 min, 60 min, 15 s and 64 MiB. Times are those of
one run, from the dispatch to its result, with six dispatches at once, and include opening the tree, starting the program
and up to two repairs of an unusable answer.`;

const UNSEEN = `## What is not found

- **A daemon without an environment**, where there is no sandbox: processes of an attempt are found by a word in their
  environment, and this one has thrown it away. With bubblewrap or a namespace of processes it dies with the attempt.
- **Who wrote into the spool**, where there is no sandbox: an agent of the same user can reach the files that the engine
  records its output and its end in. While the engine lives it believes the exit code that it was given by the system,
  not the file. An attempt whose engine died is adopted from these files, so there a forged end would count. In the
  sandbox they are out of reach.
- **A success and an error in one output of a \`command\`**: all that it prints is its answer, and exit 0 is its success.
- **How an agent leaves after its turn is over**, where the Agent Client Protocol is spoken: the protocol ends turns, not
  processes, and many leave with a code of their own once their input is closed. What is sent after the end of a turn
  counts for nothing, errors included.
- **A true lie**: a right contract whose words are wrong. That is what evidence and gates are for.`;

/** Renders the page; without figures it is equal for every run, which a test relies on. */
export function pageOf({ cells, peaks, machine }: PageInput): string {
  const tables = GROUPS.map((group) => renderSection(group, cells));
  return [HEAD, LIMITS, machine, ...tables, renderMemory(peaks, cells), UNSEEN, ""].join("\n\n");
}

/** Removes what changes from run to run: times, memory and the machine. */
export function withoutFigures(page: string): string {
  return page
    .replace(/^Measured .*$/m, "Measured")
    .replace(/^## Memory$[\s\S]*?(?=^## )/m, "")
    .replaceAll(/ \d+(?:\.\d+)? s\b/g, "");
}

function renderSection({ title, list }: Group, cells: readonly Cell[]): string {
  const rows = list.flatMap((misbehavior) => [
    renderRow(misbehavior, false, cells),
    ...(misbehavior.walled ? [renderRow(misbehavior, true, cells)] : []),
  ]);
  const head = `| the agent | ${COLUMNS.join(" | ")} |\n|---|${"---|".repeat(COLUMNS.length)}`;
  return [`## ${title}\n`, head, ...rows].join("\n");
}

function renderRow(misbehavior: Misbehavior, walled: boolean, cells: readonly Cell[]): string {
  const shown = COLUMNS.map((column) => {
    const verdict = verdictFor(misbehavior, { column, walled });
    if (verdict === NONE) return "–";
    const cell = cells.find((each) => each.column === column && each.id === misbehavior.id && each.walled === walled);
    const code = verdict.split(" ").at(-1) ?? "";
    return `${code === "done" ? "*done*" : `\`${code}\``}${cell ? ` ${(cell.ms / 1000).toFixed(1)} s` : ""}`;
  });
  const what = walled ? "… in the sandbox" : misbehavior.does;
  const lost = !walled && misbehavior.lost ? ` (**${misbehavior.lost} survivor**)` : "";
  return `| ${what}${lost} | ${shown.join(" | ")} |`;
}

function renderMemory(peaks: readonly Peak[], cells: readonly Cell[]): string {
  const rows = COLUMNS.map((column) => {
    const peak = peaks.find((each) => each.column === column)?.peakMegabytes ?? "";
    const own = Math.max(0, ...cells.filter((each) => each.column === column).map((each) => each.clientMegabytes));
    return `| ${column} | ${MISBEHAVIORS.filter((each) => verdictFor(each, { column, walled: false }) !== NONE).length} misbehaviours | ${peak} | ${own > 0 ? own : "–"} |`;
  });
  const head = "| | | engine, MB | our program beside the agent, MB |\n|---|---|---|---|";
  return ["## Memory\n\nThe most that was resident, over all dispatches of a column.\n", head, ...rows].join("\n");
}
