import { isQuiet } from "../../../core/checks/exam/expectations.ts";
import { isHeader, isSource } from "../../../core/checks/exam/source-path.ts";
import type { StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import { listQuietWords, selectQuietData, selectTextData } from "../../../core/checks/exam/uses/data-readers.ts";
import { findIncludedHeaders, INCLUDE_WORDS } from "../../../core/checks/exam/uses/include.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

const MOST_SOURCES = 200;

type DataSearch = { readonly tree: string; readonly paths: readonly string[]; readonly starts: StartedPrograms };

/**
 * Selects paths that are data because of their readers, although their names do not say so: prose, locks and sources
 * whose text tests read, and headers that only tests include. Returns all of them if there are too many matches.
 */
export async function findDataFiles(
  workspace: Workspace,
  { tree, paths, starts }: DataSearch,
): Promise<ReadonlySet<string>> {
  const [quiet, headers] = [paths.filter(isQuiet), paths.filter(isHeader)];
  const read = await findQuietData(workspace, { tree, paths: quiet, starts });
  const texts = await findTextData(workspace, { tree, paths: paths.filter(isSource), starts });
  return new Set([...read, ...texts, ...(await selectTestHeaders(workspace, tree, headers))]);
}

async function findTextData(workspace: Workspace, { tree, paths, starts }: DataSearch): Promise<readonly string[]> {
  // Beyond this many, sources are not searched: most are read only by a compiler.
  if (paths.length === 0 || paths.length > MOST_SOURCES) return [];
  const words = paths.flatMap((path) => path.split("/").slice(-2));
  const lines = await workspace.mentions(tree, [...new Set(words)]);
  return lines ? selectTextData(paths, lines, starts) : [];
}

async function findQuietData(workspace: Workspace, { tree, paths, starts }: DataSearch): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const lines = await workspace.mentions(tree, [...new Set(paths.flatMap(listQuietWords))]);
  return lines ? selectQuietData(paths, lines, starts) : paths;
}

async function selectTestHeaders(workspace: Workspace, tree: string, headers: readonly string[]) {
  if (headers.length === 0) return [];
  const lines = await workspace.mentions(tree, INCLUDE_WORDS);
  if (!lines) return headers;
  const ours = findIncludedHeaders({ headers, lines, files: new Set(await workspace.files("", tree)) });
  return headers.filter((path) => !ours.has(path));
}
