import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { formatRule } from "../snapshot/ignore-rules.ts";
import { NEUTRAL_IDENTITY } from "./identity.ts";

export const BRANCH = "attempt";
/** A tag, so that an agent does not work on it by accident. */
const BASE = "base";

type OwnHistory = { readonly start: string; readonly base: string | undefined };

/** Creates at most two commits: the start of the work, and the start of this attempt. */
export async function createHistory(store: GitStore, dir: string, { start, base }: OwnHistory): Promise<void> {
  const refs = join(dir, ".git", "refs");
  const first =
    base === undefined || base === start
      ? undefined
      : await createCommit(store, dir, { tree: base, title: BASE_TITLE });
  const commit = await createCommit(store, dir, { tree: start, title: "Start of the attempt", parent: first });
  await writeFile(join(refs, "heads", BRANCH), `${commit}\n`);
  if (base === undefined) return;
  await mkdir(join(refs, "tags"));
  await writeFile(join(refs, "tags", BASE), `${first ?? commit}\n`);
}

const BASE_TITLE = "Where the work started from";

type HistoryCommit = { readonly tree: string; readonly title: string; readonly parent?: string | undefined };

async function createCommit(store: GitStore, dir: string, { tree, title, parent }: HistoryCommit): Promise<string> {
  const env = { ...NEUTRAL_IDENTITY, GIT_OBJECT_DIRECTORY: join(dir, ".git", "objects") };
  const upon = parent === undefined ? [] : ["-p", parent];
  return getLine(await store.ask(["-c", "core.fsync=none", "commit-tree", tree, ...upon, "-m", title], { env }));
}

/** Hides paths from `git status` in that folder. Snapshots use another list. */
export async function hidePaths(dir: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await appendFile(join(dir, ".git", "info", "exclude"), `${paths.map(formatRule).join("\n")}\n`);
}
