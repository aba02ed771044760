import { join } from "node:path";
import type { MergeResult } from "../../core/authoring/verbs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { newlyEmbedded } from "../repository/embedded-repositories.ts";
import { line, records } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";

/** Each tree is merged onto what the trees before it gave, with `base` as the common ancestor. */
export async function mergeTrees(store: Store, base: string, trees: readonly string[]): Promise<MergeResult> {
  const [first, ...rest] = trees.map(needsId);
  if (first === undefined) return { clean: true, tree: { tree: needsId(base) } };
  const ancestor = await throwAway(store, needsId(base));
  let tree = first;
  for (const [index, theirs] of rest.entries()) {
    const merged = await mergeTwo(store, ancestor, [tree, theirs]);
    if (!merged.clean) return { clean: false, at: index + 1, conflicts: merged.conflicts };
    tree = merged.tree;
  }
  return { clean: true, tree: { tree } };
}

type Conflict = { clean: false; conflicts: readonly string[]; embedded?: boolean };
type MergeOutcome = { clean: true; tree: string } | Conflict;
type MergeSides = { readonly base: string; readonly ours: string; readonly theirs: string };

/** Of trees or commits; only their contents count, and `base` is the common ancestor whatever their history says. */
export async function mergeThree(store: Store, { base, ours, theirs }: MergeSides): Promise<MergeOutcome> {
  const ancestor = await throwAway(store, `${base}^{tree}`);
  const merged = await mergeTwo(store, ancestor, [`${ours}^{tree}`, `${theirs}^{tree}`]);
  if (!merged.clean && merged.embedded) throw embeds(merged.conflicts);
  return merged;
}

function embeds(paths: readonly string[]): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `What is merged would make a git repository of ${paths.join(", ")}, which neither side has`,
    "Git would run what its settings name. Remove or rename one of these files on your branch, commit, then try again.",
  );
}

async function mergeTwo(store: Store, ancestor: string, trees: readonly string[]): Promise<MergeOutcome> {
  const sides = await Promise.all(trees.map((tree) => throwAway(store, tree, ancestor)));
  // The result belongs to the user's object store; the commits that carry the sides are only read from ours.
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(ownObjects(store)) };
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ...sides];
  const answer = await store.ask(args, { env, answers: [1] });
  const [tree = "", ...conflicts] = records(answer.out).map((record) => record.toString("utf8"));
  if (answer.code !== 0) return { clean: false, conflicts: [...new Set(conflicts)].sort() };
  const inside = await newlyEmbedded(store, tree, trees);
  return inside.length === 0 ? { clean: true, tree } : { clean: false, conflicts: inside, embedded: true };
}

/** `merge-tree` of git before 2.40 takes commits only. */
async function throwAway(store: Store, tree: string, parent?: string): Promise<string> {
  const env = { ...NEUTRAL_IDENTITY, GIT_OBJECT_DIRECTORY: ownObjects(store) };
  const parents = parent === undefined ? [] : ["-p", parent];
  return line(await store.ask(["commit-tree", tree, ...parents, "-m", "side"], { env }));
}

function ownObjects(store: Store): string {
  return join(store.dir, "objects");
}

/** The list is separated by colons; git undoes C quoting, which lets a path hold one. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
