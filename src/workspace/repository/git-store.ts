import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../node/digest.ts";
import type { IdleFolder } from "../warm/idle-folder.ts";
import type { FolderShare } from "../warm/shared-folder.ts";
import { type GitOptions, getLine, runGit } from "./git.ts";
import type { GitAnswer } from "./git-process.ts";
import { createGitDir } from "./own-git-dir.ts";
import type { Repository } from "./repository.ts";

/** An ignore file and the folder that it applies to. */
export type IgnoreFile = { readonly folder: string; readonly text: string };

/**
 * The engine's own git directory on the user's object store: objects are shared, while config, attributes, refs and
 * index are the engine's. Settings of the user or an agent have no effect.
 */
export type GitStore = {
  readonly repository: Repository;
  readonly dir: string;
  readonly attempts: string;
  /** Folders waiting to be removed; anything in it may be deleted at any time. */
  readonly trash: string;
  /** Checkouts with at least this many files are kept for reuse. */
  readonly warmFrom: number;
  /** Unused folders that are ready for the next tree, or being prepared; undefined if that failed. */
  readonly idle: Promise<IdleFolder | undefined>[];
  /** Folders shared by readers, by name. */
  readonly shares: Map<string, FolderShare>;
  /** Background work that no caller waits for. */
  readonly background: Set<Promise<unknown>>;
  /** Cached ignore files by tree. */
  readonly ignoreFiles: Map<string, Promise<readonly IgnoreFile[]>>;
  ask(args: readonly string[], options?: Partial<GitOptions>): Promise<GitAnswer>;
  /** Provides a temporary index for the duration of the body. */
  withIndex<T>(body: (index: string) => Promise<T>): Promise<T>;
};

/** For smaller checkouts git is faster than checking whether a kept one is unchanged. */
const WARM_FROM = 1_000;

export async function openGitStore(repository: Repository, cache: string, warmFrom = WARM_FROM): Promise<GitStore> {
  const id = sha256(repository.objects).slice(0, 16);
  const dir = join(cache, "git", `${id}.git`);
  const attempts = join(cache, "attempts");
  const trash = join(cache, "trash");
  const { objectFormat, objects } = repository;
  await createGitDir(dir, { objectFormat, borrowed: objects, bare: true, branch: "none" });
  await Promise.all([join(dir, "scratch"), attempts, trash].map((folder) => mkdir(folder, { recursive: true })));
  // An agent that removed its .git must not reach a repository in a parent folder, such as one around the home.
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
    ask: (args, options = {}) => runGit(args, { cwd: dir, ...options, env: { ...own, ...options.env } }),
    async withIndex(body) {
      // Never shared or reused, so a killed git leaves no lock that blocks others.
      const index = join(dir, "scratch", `${randomUUID()}.index`);
      try {
        return await body(index);
      } finally {
        await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
      }
    },
  };
}

/** Failures are ignored: they leave files behind that `gc` removes. */
export function runInBackground<T>({ background }: GitStore, work: Promise<T>): Promise<T> {
  const quiet = work.catch(() => undefined).finally(() => background.delete(quiet));
  background.add(quiet);
  return work;
}

export async function awaitBackground({ background }: GitStore): Promise<void> {
  while (background.size > 0) await Promise.all(background);
}

export async function writeTree(store: GitStore, index: string, env: Readonly<Record<string, string>> = {}) {
  return getLine(await store.ask(["write-tree"], { env: { ...env, GIT_INDEX_FILE: index } }));
}
