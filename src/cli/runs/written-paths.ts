import { matchesAny } from "../../core/checks/guard/glob.ts";
import { pagesOf } from "../../core/journal/journal-pages.ts";
import type { Host } from "../../core/ports/host.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { askGit } from "../project/ask-git.ts";
import type { KeptFile } from "./land-lines.ts";

/** The files that a run itself has written, by its journal: into its commits, or into the checkout of a person. */
export async function writtenPaths({ journal }: Pick<Host, "journal">, run: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const records of pagesOf(journal, run))
    for (const record of records)
      if (record.type === "step.started" && record.verb === "write") paths.add(pathIn(record.key));
  return paths;
}

/** A step's key ends in its name, in which a path's own signs are escaped; the second of the same name has a number. */
export function pathIn(key: string): string {
  const name = key.slice(key.lastIndexOf("/") + 1).replace(/#\d+$/, "");
  return name.replaceAll("%23", "#").replaceAll("%2F", "/").replaceAll("%25", "%");
}

/** Those of the files which a pipeline may keep that this run has written, as they stand beside the last commit now. */
export async function keptNow(
  top: string,
  { kept, written }: { readonly kept: readonly string[]; readonly written: ReadonlySet<string> },
): Promise<readonly KeptFile[]> {
  return Promise.all(
    kept
      .filter((path) => written.has(path))
      .map(async (path) => {
        const said = await askGit(top, [
          "status",
          "--porcelain",
          "--untracked-files=no",
          "--",
          `:(literal,top)${path}`,
        ]);
        return { path, differs: "out" in said && said.out.trim() !== "" };
      }),
  );
}

/** What a run leaves of its process: what it wrote itself, wherever `documents:` puts it, and what its pipeline names. */
export async function documentsAmong(
  paths: readonly string[],
  { pipeline, written }: { readonly pipeline: string; readonly written: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  const globs = (Object.hasOwn(BUILT_IN, pipeline) && (await BUILT_IN[pipeline]?.())?.documents) || [];
  const isWritten = (path: string): boolean => [...written].some((each) => path === each || path.endsWith(`/${each}`));
  return new Set(paths.filter((path) => isWritten(path) || (globs.length > 0 && matchesAny(path, globs))));
}
