import type { Cell } from "./cell.ts";
import { floodBytes } from "./limits.ts";
import { GROUPS, MISBEHAVIORS } from "./list.ts";
import { COLUMNS, type ColumnName, type Group, type Misbehavior, NONE, verdictFor } from "./misbehavior.ts";

export type Peak = { readonly column: ColumnName; readonly peakMegabytes: number };
export type PageInput = { readonly cells: readonly Cell[]; readonly peaks: readonly Peak[]; readonly machine: string };

const formatMegabytes = (column: ColumnName): string => `${floodBytes(column) / 1_000_000}`;

const HEAD = `# Agents that misbehave

<!-- Written by \`npm run misbehave\`; do not edit. -->

The result of an agent that hangs, lies, floods or leaves something behind, for every way in which agents are driven.
Each cell is one dispatch: a real program on the PATH speaks the driver's protocol and misbehaves as instructed
([test/misbehaving](../../test/misbehaving)). The real driver and supervisor start it in its own repository, and the
result is judged as in a run. The code is what the run records; *done* means that the answer is accepted, and then the
evidence decides. A dash: the protocol has no such case. \`npm test\` runs every cell and requires this code, no survivor,
no secret in the result, and at most 150 MB in the engine's process.

\`goose\` and \`gemini\` represent the Agent Client Protocol: one program that reports a failed request only in its answer,
and one that reports it as an error. A small client of ours speaks the protocols of \`claude\` and these two.`;

const LIMITS = `The limits are short for this test: silence 0.7 s (2.5 s for drips, 6 s if our client waits first), wall clock 3 s (8 s
for drips), 0.25 s after the last message, output ${formatMegabytes("command")} MB (${formatMegabytes("goose")} MB with a protocol). The defaults are 10 min, 60 min, 15 s
and 64 MiB. Times are those of one run, from the dispatch to its result, with six parallel dispatches. They include
opening the tree, starting the program and up to two repairs of an unusable answer.`;

const UNSEEN = `## What is not found

- **A daemon without an environment**, without a sandbox: the engine finds processes of an attempt by a variable in their
  environment, which this daemon has removed. With bubblewrap or a process namespace it ends with the attempt.
- **Writes to the spool**, without a sandbox: an agent of the same user can reach the files in which the engine records
  its output and its end. A running engine uses the exit code from the system, not the file. An attempt whose engine
  died is adopted from these files, so a forged end would count. In the sandbox they are out of reach.
- **A success and an error in one output of a \`command\`**: its whole output is its answer, and exit code 0 is its success.
- **An agent's exit after its turn**, with the Agent Client Protocol: the protocol ends turns, not processes, and many
  programs exit with their own code once their input is closed. Messages after the end of a turn are ignored, including
  errors.
- **A valid contract with a false statement**. Evidence and gates cover this case.`;

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
