import type { Row } from "./row.ts";

export type Cell = string | number;

/** A Markdown table with an empty line after it. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] {
  const line = (cells: readonly Cell[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line), ""];
}

/** Commit, class and subject, as a line of a list starts. */
export function formatCommit({ repo, hash, kind, source, subject }: Row): string {
  const by = source === "agents" ? ", by an agent" : "";
  return `${repo} ${hash.slice(0, 8)} (${kind}${by}) "${escapeText(subject, 80)}"`;
}

/** One line without characters that Markdown would interpret. */
export function escapeText(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/[<>|[\]*_`#]/g, (sign) => `\\${sign}`);
  return line.length > most ? `${line.slice(0, most).replace(/\\$/, "")}…` : line;
}

/** Removes the folders of this machine from a command line. */
export function stripFolders(line: string): string {
  return line.replaceAll(/(?<![\w'*.])\/\S*\//g, "");
}
