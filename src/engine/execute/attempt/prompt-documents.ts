import type { AttemptRequest } from "../../../core/journal/effect.ts";
import { escapeLineBreaks, quoteInline } from "./quote-text.ts";

/** Most files to list by name; beyond that, their folders are listed. */
const MOST_NAMED = 6;

/**
 * Lists the documents of the run: the common folder once, then what is in it. Empty if the input already names one
 * of them, because it then says what to read.
 */
export function formatDocumentsLine({
  rendered,
  input,
}: Pick<AttemptRequest, "rendered" | "input">): readonly string[] {
  const paths = rendered.map(({ path }) => path);
  const said = JSON.stringify(input) ?? "";
  if (paths.length === 0 || paths.some((path) => said.includes(JSON.stringify(path)))) return [];
  const folder = paths.length > 1 ? findCommonFolder(paths) : "";
  const names = paths.map((path) => path.slice(folder.length));
  const listed = names.length > MOST_NAMED ? groupByFolder(names) : names.map(quoteName);
  const where = folder === "" ? "" : ` in ${quoteName(folder)}`;
  return [`Documents of this run, to read${where}: ${listed.join(", ")}.`];
}

/** Lists files at the top by name, and folders with the number of their files. */
function groupByFolder(names: readonly string[]): readonly string[] {
  const groups = Map.groupBy(names, (name) => name.slice(0, name.indexOf("/") + 1) || name);
  return [...groups].map(([group, all]) =>
    group.endsWith("/") ? `${quoteName(group)} (${all.length})` : quoteName(group),
  );
}

const quoteName = (name: string): string => quoteInline(escapeLineBreaks(name));

function findCommonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  const [first = ""] = folders;
  const parts = first.split("/").slice(0, -1);
  for (let most = parts.length; most > 0; most -= 1) {
    const prefix = `${parts.slice(0, most).join("/")}/`;
    if (folders.every((folder) => folder.startsWith(prefix))) return prefix;
  }
  return "";
}
