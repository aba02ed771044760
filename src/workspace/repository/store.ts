import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../node/digest.ts";
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
  /** Those of the trees that were asked for. */
  readonly ignoreFiles: Map<string, Promise<readonly IgnoreFile[]>>;
  ask(args: readonly string[], options?: Partial<GitOptions>): Promise<GitAnswer>;
  /** Work with an index that lives as long as the body. */
  withIndex<T>(body: (index: string) => Promise<T>): Promise<T>;
};

export async function openStore(repository: Repository, cache: string): Promise<Store> {
  const id = sha256(repository.objects).slice(0, 16);
  const dir = join(cache, "git", `${id}.git`);
  const attempts = join(cache, "attempts");
  const { objectFormat, objects } = repository;
  await layGitDir(dir, { objectFormat, borrowed: objects, bare: true, branch: "none" });
  await Promise.all([mkdir(join(dir, "scratch"), { recursive: true }), mkdir(attempts, { recursive: true })]);
  // An agent that removed its .git must not reach a repository further up, such as one around the home folder.
  await writeFile(join(attempts, ".git"), "gitdir: /dev/null\n");

  const own = { GIT_DIR: dir, GIT_OBJECT_DIRECTORY: objects };
  return {
    repository,
    dir,
    attempts,
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

export async function writeTree(store: Store, index: string, env: Readonly<Record<string, string>> = {}) {
  return line(await store.ask(["write-tree"], { env: { ...env, GIT_INDEX_FILE: index } }));
}
