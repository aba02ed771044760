import { join } from "node:path";
import type { MergeResult } from "../../core/authoring/verbs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { listNewlyEmbedded } from "../repository/embedded-repositories.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";

/** Merges each tree onto the result of those before it, with `base` as the common ancestor. */
export async function mergeTrees(store: GitStore, base: string, trees: readonly string[]): Promise<MergeResult> {
  const [first, ...rest] = trees.map(requireId);
  if (first === undefined) return { clean: true, tree: { tree: requireId(base) } };
  const ancestor = await createSideCommit(store, requireId(base));
  let tree = first;
  for (const [index, theirs] of rest.entries()) {
    const merged = await mergeTwo(store, ancestor, [tree, theirs]);
    if (!merged.clean) return { clean: false, at: index + 1, conflicts: merged.conflicts };
    tree = merged.tree;
  }
  return { clean: true, tree: { tree } };
}

type MergeConflict = { clean: false; conflicts: readonly string[]; embedded?: boolean };
type MergeOutcome = { clean: true; tree: string } | MergeConflict;
type MergeSides = { readonly base: string; readonly ours: string; readonly theirs: string };

/** Merges trees or commits by content only: `base` is the common ancestor whatever their history is. */
export async function mergeThree(store: GitStore, { base, ours, theirs }: MergeSides): Promise<MergeOutcome> {
  const ancestor = await createSideCommit(store, `${base}^{tree}`);
  const merged = await mergeTwo(store, ancestor, [`${ours}^{tree}`, `${theirs}^{tree}`]);
  if (!merged.clean && merged.embedded) throw createEmbeddedError(merged.conflicts);
  return merged;
}

function createEmbeddedError(paths: readonly string[]): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `The merge would make a git repository of ${paths.join(", ")}, which neither side contains`,
    "Git would run programs that its settings name. Remove or rename one of these files on your branch, commit, then try again.",
  );
}

async function mergeTwo(store: GitStore, ancestor: string, trees: readonly string[]): Promise<MergeOutcome> {
  const sides = await Promise.all(trees.map((tree) => createSideCommit(store, tree, ancestor)));
  // The result goes into the user's object store; the throw-away commits are only read from ours.
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(getOwnObjects(store)) };
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ...sides];
  const answer = await store.ask(args, { env, answers: [1] });
  const [tree = "", ...conflicts] = splitRecords(answer.out).map((record) => record.toString("utf8"));
  if (answer.code !== 0) return { clean: false, conflicts: [...new Set(conflicts)].sort() };
  const inside = await listNewlyEmbedded(store, tree, trees);
  return inside.length === 0 ? { clean: true, tree } : { clean: false, conflicts: inside, embedded: true };
}

/** `merge-tree` of git before 2.40 accepts commits only. */
async function createSideCommit(store: GitStore, tree: string, parent?: string): Promise<string> {
  const env = { ...NEUTRAL_IDENTITY, GIT_OBJECT_DIRECTORY: getOwnObjects(store) };
  const parents = parent === undefined ? [] : ["-p", parent];
  return getLine(await store.ask(["commit-tree", tree, ...parents, "-m", "side"], { env }));
}

function getOwnObjects(store: GitStore): string {
  return join(store.dir, "objects");
}

/** The list is separated by colons; with C quoting a path may contain one. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
