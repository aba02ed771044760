import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "../../core/ports/workspace.ts";
import { fill, run, temporary } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

export type Member = { readonly repo: string; readonly cache: string; readonly workspace: Workspace };

export type Team = {
  readonly root: string;
  /** The bare repository that they share. */
  readonly bare: string;
  readonly commit: string;
  readonly tree: string;
  /** Creates another clone, or opens an existing one again. */
  member(name: string): Promise<Member>;
};

/** A bare repository with these files in its first commit, and clones on demand. */
export async function team(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): Promise<Team> {
  const root = await temporary();
  const first = join(root, "first");
  const bare = join(root, "shared.git");
  await mkdir(first);
  run(first, ["init", "-q", "-b", "main"]);
  await fill(first, files);
  run(first, ["add", "--all"]);
  run(first, ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "First"]);
  run(root, ["clone", "-q", "--bare", "first", bare]);
  const commit = run(first, ["rev-parse", "HEAD"]);
  const tree = run(first, ["rev-parse", "HEAD^{tree}"]);
  return {
    root,
    bare,
    commit,
    tree,
    async member(name) {
      const repo = join(root, name);
      run(root, ["clone", "-q", bare, name]);
      return opened(repo, join(root, `${name}-cache`));
    },
  };
}

/** Opens the same clone as another process would. */
export function again({ repo, cache }: Member): Promise<Member> {
  return opened(repo, cache);
}

async function opened(repo: string, cache: string): Promise<Member> {
  return { repo, cache, workspace: await gitWorkspace({ repo, cache, remote: "origin" }) };
}

/** Lists refs of the shared repository below a prefix. */
export function remoteRefs({ bare }: Team, below = "refs/"): string[] {
  return run(bare, ["for-each-ref", "--format=%(refname)", below]).split("\n").filter(Boolean);
}

/** Changes a tree and publishes the result. */
export async function edit(
  { workspace }: Member,
  name: string,
  { tree, files }: { readonly tree: string; readonly files: Readonly<Record<string, string>> },
): Promise<string> {
  const own = workspace.of(name, 1);
  const { dir, close } = await own.open(tree, `${name}-0123456789abcdef`);
  await fill(dir, files);
  const taken = await own.snapshot(dir, { opened: tree, onto: tree });
  await close();
  await own.pin(name, taken.tree);
  await own.publish();
  return taken.tree;
}
