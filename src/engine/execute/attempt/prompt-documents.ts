import type { AttemptRequest } from "../../../core/journal/effect.ts";
import { inlineCode, plainName } from "./quoted.ts";

/** So many are named by file; where there are more, their folders are. */
const MOST_NAMED = 6;

/**
 * Where the documents of the run lie: once the folder that all have, then what is in it. An input that names some of them
 * says what is to be read, and needs no second list.
 */
export function documentsLine({ rendered, input }: Pick<AttemptRequest, "rendered" | "input">): readonly string[] {
  const paths = rendered.map(({ path }) => path);
  const said = JSON.stringify(input) ?? "";
  if (paths.length === 0 || paths.some((path) => said.includes(JSON.stringify(path)))) return [];
  const folder = paths.length > 1 ? commonFolder(paths) : "";
  const names = paths.map((path) => path.slice(folder.length));
  const listed = names.length > MOST_NAMED ? byFolder(names) : names.map(quoted);
  const where = folder === "" ? "" : ` in ${quoted(folder)}`;
  return [`Documents of this run, to read${where}: ${listed.join(", ")}.`];
}

/** Files at the top by their names, folders with the number of theirs. */
function byFolder(names: readonly string[]): readonly string[] {
  const groups = Map.groupBy(names, (name) => name.slice(0, name.indexOf("/") + 1) || name);
  return [...groups].map(([group, all]) => (group.endsWith("/") ? `${quoted(group)} (${all.length})` : quoted(group)));
}

const quoted = (name: string): string => inlineCode(plainName(name));

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  const [first = ""] = folders;
  const parts = first.split("/").slice(0, -1);
  for (let most = parts.length; most > 0; most -= 1) {
    const prefix = `${parts.slice(0, most).join("/")}/`;
    if (folders.every((folder) => folder.startsWith(prefix))) return prefix;
  }
  return "";
}
