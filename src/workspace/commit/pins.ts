import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

type Pin = { readonly ref: string; readonly id: string };

/** Below the run's own refs: a commit that it began from or looked at, whatever becomes of the branch. */
export async function holdCommit(store: Store, run: string, commit: string): Promise<void> {
  await store.repository.ask(["update-ref", `refs/signalbox/${run}/base/${commit}`, commit]);
}

/**
 * A copy of all that a resting run needs and no branch, tag or remote holds, where nobody's `gc` comes: whoever tidies
 * refs up meanwhile deletes no work.
 */
export async function keepPins(store: Store, run: string): Promise<void> {
  const pins = await pinsOf(store, run);
  await mkdir(folderOf(store), { recursive: true });
  const before = await filesOf(store, run);
  const heads = ["for-each-ref", "--format=^%(tree)", "refs/heads/", "refs/tags/", "refs/remotes/"];
  const held = line(await store.repository.ask(heads)).split("\n");
  const input = [...pins.map(({ id }) => id), ...held.filter((tree) => tree.length > 1)].join("\n");
  const { out } = await store.ask(["rev-list", "--objects", "--no-walk=unsorted", "--stdin"], { input });
  // Begun in the engine's own objects: a pack is finished by a rename, and the repository may be on another disk.
  const env = { GIT_OBJECT_DIRECTORY: join(store.dir, "objects") };
  const pack = line(await store.ask(["pack-objects", "-q", join(folderOf(store), run)], { input: out, env }));
  const list = join(folderOf(store), `${run}.json`);
  await writeFile(`${list}.new`, JSON.stringify({ pack: `${run}-${pack}.pack`, pins }));
  await rename(`${list}.new`, list);
  const stale = before.filter((name) => name !== basename(list) && !name.startsWith(`${run}-${pack}.`));
  await Promise.all(stale.map((name) => rm(join(folderOf(store), name), { force: true })));
}

/** Puts back what was deleted while the run rested; where nothing was, only the refs are looked at. */
export async function restorePins(store: Store, run: string): Promise<void> {
  const kept = await readKept(store, run);
  if (!kept) return;
  const there = new Set((await pinsOf(store, run)).map(({ ref }) => ref));
  const lost = kept.pins.filter(({ ref }) => !there.has(ref));
  if (lost.length === 0) return;
  await store.ask(["unpack-objects", "-q"], { input: await readFile(join(folderOf(store), kept.pack)) });
  const input = lost.map(({ ref, id }) => `update ${ref}\0${id}\0\0`).join("");
  await store.repository.ask(["update-ref", "-z", "--stdin"], { input });
}

/** What is left of such copies, by the files' names. */
export async function keptFiles(store: Store, run: string): Promise<readonly string[]> {
  return (await filesOf(store, run)).map((name) => join(folderOf(store), name));
}

async function pinsOf({ repository }: Store, run: string): Promise<readonly Pin[]> {
  const asked = ["for-each-ref", "--format=%(refname) %(objectname)", `refs/signalbox/${run}/`];
  const rows = line(await repository.ask(asked))
    .split("\n")
    .filter(Boolean);
  return rows.map((row) => {
    const [ref = "", id = ""] = row.split(" ");
    return { ref, id };
  });
}

type PinPack = { readonly pack: string; readonly pins: readonly Pin[] };

async function readKept(store: Store, run: string): Promise<PinPack | undefined> {
  const text = await readFile(join(folderOf(store), `${run}.json`), "utf8").catch(() => undefined);
  // Written by `keepPins` alone, and replaced whole.
  return text === undefined ? undefined : (JSON.parse(text) as PinPack);
}

async function filesOf(store: Store, run: string): Promise<readonly string[]> {
  const names = await readdir(folderOf(store)).catch(() => []);
  return names.filter((name) => name.startsWith(`${run}.json`) || isPackOf(name, run));
}

function isPackOf(name: string, run: string): boolean {
  return name.startsWith(`${run}-`) && /^[0-9a-f]{40,64}\.[a-z]+$/.test(name.slice(run.length + 1));
}

function folderOf(store: Store): string {
  return join(store.dir, "kept");
}
