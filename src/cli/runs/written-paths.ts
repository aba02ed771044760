import { matchesAny } from "../../core/checks/guard/glob.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { Host } from "../../core/ports/host.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { askGit } from "../project/ask-git.ts";
import type { StateFile } from "./land-report.ts";

/** Lists the files that the run itself wrote, according to its journal, into commits or a checkout. */
export async function listWrittenPaths({ journal }: Pick<Host, "journal">, run: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const records of readJournalPages(journal, run))
    for (const record of records)
      if (record.type === "step.started" && record.verb === "write") paths.add(parseWritePath(record.key));
  return paths;
}

/**
 * Returns the path in a write step's key. The key ends in the step's name, in which special characters are escaped; a
 * repeated name has a number.
 */
export function parseWritePath(key: string): string {
  const name = key.slice(key.lastIndexOf("/") + 1).replace(/#\d+$/, "");
  return name.replaceAll("%23", "#").replaceAll("%2F", "/").replaceAll("%25", "%");
}

/** Returns the state files that this run wrote, compared with the last commit. */
export async function compareStateFiles(
  top: string,
  { kept, written }: { readonly kept: readonly string[]; readonly written: ReadonlySet<string> },
): Promise<readonly StateFile[]> {
  return Promise.all(
    kept
      .filter((path) => written.has(path))
      .map(async (path) => {
        const status = await askGit(top, [
          "status",
          "--porcelain",
          "--untracked-files=no",
          "--",
          `:(literal,top)${path}`,
        ]);
        return { path, differs: "out" in status && status.out.trim() !== "" };
      }),
  );
}

/**
 * Returns the process documents among the paths: files that the run wrote, wherever `documents:` puts them, and files
 * that its pipeline declares.
 */
export async function selectDocuments(
  paths: readonly string[],
  { pipeline, written }: { readonly pipeline: string; readonly written: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  const globs = (Object.hasOwn(BUILT_IN, pipeline) && (await BUILT_IN[pipeline]?.())?.documents) || [];
  const isWritten = (path: string): boolean => [...written].some((each) => path === each || path.endsWith(`/${each}`));
  return new Set(paths.filter((path) => isWritten(path) || (globs.length > 0 && matchesAny(path, globs))));
}
