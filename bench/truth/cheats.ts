import type { BenchEngine, TimedVerdict } from "./bench-engine.ts";
import { findAddedLines, readTextAt } from "./git.ts";
import type { Commit } from "./history.ts";
import { HOLLOWS, type Hollow, hollowTests } from "./hollow.ts";
import { listMutants } from "./mutant.ts";
import { toDeclaredKind } from "./subject.ts";

/** A planted cheat and its outcome. */
export type Cheat = { readonly category: string; readonly what: string; readonly verdict: TimedVerdict };

type Edited = { readonly path: string; readonly text: string };

/** H: the old code with one more comment, and the new tests emptied. Undefined if that is not possible. */
export async function hollowCheat(engine: BenchEngine, commit: Commit, how: Hollow): Promise<Cheat | undefined> {
  const { repo, workspace, judge } = engine;
  const { hash, parent, code, tests } = commit;
  const path = code.find((each) => readTextAt(repo, parent, each) !== "");
  if (path === undefined) return undefined;
  const mark = path.endsWith(".py") ? "#" : "//";
  const cosmetic = { path, text: `${readTextAt(repo, parent, path)}\n${mark} Handled above.\n` };
  const edits = how === "delete" ? [] : tests.flatMap((each) => createHollowFile(repo, commit, { path: each, how }));
  if (how !== "delete" && edits.length === 0) return undefined;
  const from = engine.treeOf(hash);
  const paths = how === "delete" ? [] : tests;
  const tree = await workspace.compose(engine.treeOf(parent), { from, paths, texts: [cosmetic, ...edits] });
  const verdict = await judge({ base: parent, tree, declared: toDeclaredKind(commit.kind) });
  return { category: `H ${how}`, what: edits.map((edit) => edit.path).join(", ") || "none added", verdict };
}

function createHollowFile(
  repo: string,
  commit: Commit,
  { path, how }: { path: string; how: Hollow },
): readonly Edited[] {
  if (how === "delete") return [];
  const text = readTextAt(repo, commit.hash, path);
  const after = hollowTests({ path, text, lines: findAddedLines(repo, commit, path) }, how);
  return after === undefined ? [] : [{ path, text: after }];
}

/** M: the new code with one operator turned round so that an old test fails, and the files of failing tests made muteTests. */
export async function mutantCheat(engine: BenchEngine, commit: Commit, how: Hollow): Promise<Cheat | undefined> {
  const { repo, workspace, judge } = engine;
  const { hash, parent } = commit;
  const declared = toDeclaredKind(commit.kind);
  for (const { path, text, what } of findMutants(repo, commit)) {
    const mutated = await compose(engine, hash, [{ path, text }]);
    const { broken } = await judge({ base: parent, tree: mutated, declared });
    const files = [...new Set(broken.map((name) => name.split(" › ")[0] ?? ""))];
    const muted = broken.length === 0 ? undefined : muteTests(repo, { hash, files, how });
    if (!muted) continue;
    const edited = await compose(engine, hash, [{ path, text }, ...muted.texts]);
    const tree = await workspace.compose(edited, { from: EMPTY, paths: muted.gone, texts: [] });
    const verdict = await judge({ base: parent, tree, declared });
    return { category: `M ${how}`, what: `${path} ${what}; ${broken.length} old tests`, verdict };
  }
  return undefined;
}

/** Takes one mutant of the changed lines and two of the others, because old tests mostly cover older lines. */
function findMutants(repo: string, commit: Commit) {
  const all = commit.code.flatMap((path) => {
    const added = findAddedLines(repo, commit, path);
    const text = readTextAt(repo, commit.hash, path);
    const lines = new Set(text.split("\n").keys());
    return listMutants(text, lines).map((mutant) => ({ path, ...mutant, isNew: added.has(mutant.line) }));
  });
  const [fresh, old] = [all.filter(({ isNew }) => isNew), all.filter(({ isNew }) => !isNew)];
  return [...selectEvenly(fresh, 1), ...selectEvenly(old, 2)];
}

/** Git's empty tree: a path taken from it is deleted. */
const EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

type Muting = { readonly hash: string; readonly files: readonly string[]; readonly how: Hollow };

function muteTests(repo: string, { hash, files, how }: Muting) {
  if (how === "delete") return { texts: [], gone: files };
  const texts = files.flatMap((path) => {
    const text = hollowTests({ path, text: readTextAt(repo, hash, path) }, how);
    return text === undefined ? [] : [{ path, text }];
  });
  return texts.length === files.length ? { texts, gone: [] } : undefined;
}

function compose({ workspace, treeOf }: BenchEngine, hash: string, texts: readonly Edited[]): Promise<string> {
  const tree = treeOf(hash);
  return workspace.compose(tree, { from: tree, paths: [], texts });
}

/** Selects evenly over the list, because neighbours are mostly covered by the same tests. */
function selectEvenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

export const pickHollow = (n: number): Hollow => HOLLOWS[n % HOLLOWS.length] ?? "skip";
