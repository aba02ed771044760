import type { BenchEngine, TimedVerdict } from "./bench-engine.ts";
import { addedLines, textAt } from "./git.ts";
import type { Commit } from "./history.ts";
import { HOLLOWS, type Hollow, hollowed } from "./hollow.ts";
import { mutantsOf } from "./mutant.ts";
import { declaredAs } from "./subject.ts";

/** A change that pretends: what was done, and what the engine said. */
export type Cheat = { readonly category: string; readonly what: string; readonly verdict: TimedVerdict };

type Edited = { readonly path: string; readonly text: string };

/** H: the old code with a comment more, and the commit's tests made hollow. Undefined where that cannot be done. */
export async function hollowCheat(engine: BenchEngine, commit: Commit, how: Hollow): Promise<Cheat | undefined> {
  const { repo, workspace, judge } = engine;
  const { hash, parent, code, tests } = commit;
  const path = code.find((each) => textAt(repo, parent, each) !== "");
  if (path === undefined) return undefined;
  const mark = path.endsWith(".py") ? "#" : "//";
  const cosmetic = { path, text: `${textAt(repo, parent, path)}\n${mark} Handled above.\n` };
  const edits = how === "delete" ? [] : tests.flatMap((each) => hollowFile(repo, commit, { path: each, how }));
  if (how !== "delete" && edits.length === 0) return undefined;
  const from = engine.treeOf(hash);
  const paths = how === "delete" ? [] : tests;
  const tree = await workspace.compose(engine.treeOf(parent), { from, paths, texts: [cosmetic, ...edits] });
  const verdict = await judge({ base: parent, tree, declared: declaredAs(commit.kind) });
  return { category: `H ${how}`, what: edits.map((edit) => edit.path).join(", ") || "none added", verdict };
}

function hollowFile(repo: string, commit: Commit, { path, how }: { path: string; how: Hollow }): readonly Edited[] {
  if (how === "delete") return [];
  const text = textAt(repo, commit.hash, path);
  const after = hollowed({ path, text, lines: addedLines(repo, commit, path) }, how);
  return after === undefined ? [] : [{ path, text: after }];
}

/** M: the new code with one operator turned round so that an old test fails, and the files of failing tests made mute. */
export async function mutantCheat(engine: BenchEngine, commit: Commit, how: Hollow): Promise<Cheat | undefined> {
  const { repo, workspace, judge } = engine;
  const { hash, parent } = commit;
  const declared = declaredAs(commit.kind);
  for (const { path, text, what } of mutantsIn(repo, commit)) {
    const mutated = await compose(engine, hash, [{ path, text }]);
    const { broken } = await judge({ base: parent, tree: mutated, declared });
    const files = [...new Set(broken.map((name) => name.split(" › ")[0] ?? ""))];
    const muted = broken.length === 0 ? undefined : mute(repo, { hash, files, how });
    if (!muted) continue;
    const edited = await compose(engine, hash, [{ path, text }, ...muted.texts]);
    const tree = await workspace.compose(edited, { from: EMPTY, paths: muted.gone, texts: [] });
    const verdict = await judge({ base: parent, tree, declared });
    return { category: `M ${how}`, what: `${path} ${what}; ${broken.length} old tests`, verdict };
  }
  return undefined;
}

/** One where the commit changed the source, and two anywhere in it: old tests mostly see what was there before. */
function mutantsIn(repo: string, commit: Commit) {
  const all = commit.code.flatMap((path) => {
    const added = addedLines(repo, commit, path);
    const text = textAt(repo, commit.hash, path);
    const lines = new Set(text.split("\n").keys());
    return mutantsOf(text, lines).map((mutant) => ({ path, ...mutant, isNew: added.has(mutant.line) }));
  });
  const [fresh, old] = [all.filter(({ isNew }) => isNew), all.filter(({ isNew }) => !isNew)];
  return [...spread(fresh, 1), ...spread(old, 2)];
}

/** Git's own tree without any file: what is taken from there is gone. */
const EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

type Muting = { readonly hash: string; readonly files: readonly string[]; readonly how: Hollow };

function mute(repo: string, { hash, files, how }: Muting) {
  if (how === "delete") return { texts: [], gone: files };
  const texts = files.flatMap((path) => {
    const text = hollowed({ path, text: textAt(repo, hash, path) }, how);
    return text === undefined ? [] : [{ path, text }];
  });
  return texts.length === files.length ? { texts, gone: [] } : undefined;
}

function compose({ workspace, treeOf }: BenchEngine, hash: string, texts: readonly Edited[]): Promise<string> {
  const tree = treeOf(hash);
  return workspace.compose(tree, { from: tree, paths: [], texts });
}

/** Evenly over the list: neighbours are mostly seen by the same tests. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

export const turnOf = (n: number): Hollow => HOLLOWS[n % HOLLOWS.length] ?? "skip";
