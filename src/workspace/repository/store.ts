import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../node/digest.ts";
import type { IdleFolder } from "../warm/idle-folder.ts";
import type { Share } from "../warm/shared-folder.ts";
import { type GitOptions, git, line } from "./git.ts";
import type { GitAnswer } from "./git-process.ts";
import { layGitDir } from "./own-git-dir.ts";
import type { Repository } from "./repository.ts";

/** An ignore file and the folder that it speaks for. */
export type IgnoreFile = { readonly folder: string; readonly text: string };

/**
 * The engine's own git directory beside the user's object store: objects are read and written there, while config,
 * attributes, refs and index are the engine's. What the user or an agent configured has no say.
 */
export type Store = {
  readonly repository: Repository;
  readonly dir: string;
  readonly attempts: string;
  /** What is only waiting to be removed: whatever lies there may go at any time. */
  readonly trash: string;
  /** A checkout of so many files is worth being kept for the next one. */
  readonly warmFrom: number;
  /** Folders that nobody works in, ready for the next tree, or about to be; undefined where it came to nothing. */
  readonly idle: Promise<IdleFolder | undefined>[];
  /** Folders that several read in, by what they are opened with. */
  readonly shares: Map<string, Share>;
  /** What is done beside the work, and nobody waits for. */
  readonly background: Set<Promise<unknown>>;
  /** Those of the trees that were asked for. */
  readonly ignoreFiles: Map<string, Promise<readonly IgnoreFile[]>>;
  ask(args: readonly string[], options?: Partial<GitOptions>): Promise<GitAnswer>;
  /** Work with an index that lives as long as the body. */
  withIndex<T>(body: (index: string) => Promise<T>): Promise<T>;
};

/** Below it git is quicker than who looks whether everything is as it was. */
const WARM_FROM = 1_000;

export async function openStore(repository: Repository, cache: string, warmFrom = WARM_FROM): Promise<Store> {
  const id = sha256(repository.objects).slice(0, 16);
  const dir = join(cache, "git", `${id}.git`);
  const attempts = join(cache, "attempts");
  const trash = join(cache, "trash");
  const { objectFormat, objects } = repository;
  await layGitDir(dir, { objectFormat, borrowed: objects, bare: true, branch: "none" });
  await Promise.all([join(dir, "scratch"), attempts, trash].map((folder) => mkdir(folder, { recursive: true })));
  // An agent that removed its .git must not reach a repository further up, such as one around the home folder.
  await writeFile(join(attempts, ".git"), "gitdir: /dev/null\n");

  const own = { GIT_DIR: dir, GIT_OBJECT_DIRECTORY: objects };
  return {
    repository,
    dir,
    attempts,
    trash,
    warmFrom,
    idle: [],
    shares: new Map(),
    background: new Set(),
    ignoreFiles: new Map(),
    ask: (args, options = {}) => git(args, { cwd: dir, ...options, env: { ...own, ...options.env } }),
    async withIndex(body) {
      // Never shared and never reused, so a killed git leaves no lock in anybody's way.
      const index = join(dir, "scratch", `${randomUUID()}.index`);
      try {
        return await body(index);
      } finally {
        await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
      }
    },
  };
}

/** A failure of it is nobody's: it leaves something behind, which `gc` finds. */
export function inBackground<T>({ background }: Store, work: Promise<T>): Promise<T> {
  const quiet = work.catch(() => undefined).finally(() => background.delete(quiet));
  background.add(quiet);
  return work;
}

export async function settled({ background }: Store): Promise<void> {
  while (background.size > 0) await Promise.all(background);
}

export async function writeTree(store: Store, index: string, env: Readonly<Record<string, string>> = {}) {
  return line(await store.ask(["write-tree"], { env: { ...env, GIT_INDEX_FILE: index } }));
}
