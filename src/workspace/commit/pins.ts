import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

type Pin = { readonly ref: string; readonly id: string };

/** Pins a commit that the run started from or read, whatever happens to its branch. */
export async function pinCommit(store: GitStore, run: string, commit: string): Promise<void> {
  await store.repository.ask(["update-ref", `refs/signalbox/${run}/base/${commit}`, commit]);
}

/**
 * Copies everything that a suspended run needs and no branch, tag or remote contains to a place that `gc` does not
 * touch, so that deleting refs loses no work.
 */
export async function copyPins(store: GitStore, run: string): Promise<void> {
  const pins = await listPins(store, run);
  await mkdir(getCopyFolder(store), { recursive: true });
  const before = await listCopyFiles(store, run);
  const heads = ["for-each-ref", "--format=^%(tree)", "refs/heads/", "refs/tags/", "refs/remotes/"];
  const held = getLine(await store.repository.ask(heads)).split("\n");
  const input = [...pins.map(({ id }) => id), ...held.filter((tree) => tree.length > 1)].join("\n");
  const { out } = await store.ask(["rev-list", "--objects", "--no-walk=unsorted", "--stdin"], { input });
  // Created in the engine's own objects, because git finishes a pack by a rename and the repository may be on another
  // disk.
  const env = { GIT_OBJECT_DIRECTORY: join(store.dir, "objects") };
  const pack = getLine(await store.ask(["pack-objects", "-q", join(getCopyFolder(store), run)], { input: out, env }));
  const list = join(getCopyFolder(store), `${run}.json`);
  await writeFile(`${list}.new`, JSON.stringify({ pack: `${run}-${pack}.pack`, pins }));
  await rename(`${list}.new`, list);
  const stale = before.filter((name) => name !== basename(list) && !name.startsWith(`${run}-${pack}.`));
  await Promise.all(stale.map((name) => rm(join(getCopyFolder(store), name), { force: true })));
}

/** Restores what was deleted while the run was suspended. If nothing was, it only compares the refs. */
export async function restorePins(store: GitStore, run: string): Promise<void> {
  const kept = await readPinPack(store, run);
  if (!kept) return;
  const there = new Set((await listPins(store, run)).map(({ ref }) => ref));
  const lost = kept.pins.filter(({ ref }) => !there.has(ref));
  if (lost.length === 0) return;
  await store.ask(["unpack-objects", "-q"], { input: await readFile(join(getCopyFolder(store), kept.pack)) });
  const input = lost.map(({ ref, id }) => `update ${ref}\0${id}\0\0`).join("");
  await store.repository.ask(["update-ref", "-z", "--stdin"], { input });
}

/** Lists the files of these copies. */
export async function listPinCopies(store: GitStore, run: string): Promise<readonly string[]> {
  return (await listCopyFiles(store, run)).map((name) => join(getCopyFolder(store), name));
}

async function listPins({ repository }: GitStore, run: string): Promise<readonly Pin[]> {
  const asked = ["for-each-ref", "--format=%(refname) %(objectname)", `refs/signalbox/${run}/`];
  const rows = getLine(await repository.ask(asked))
    .split("\n")
    .filter(Boolean);
  return rows.map((row) => {
    const [ref = "", id = ""] = row.split(" ");
    return { ref, id };
  });
}

type PinPack = { readonly pack: string; readonly pins: readonly Pin[] };

async function readPinPack(store: GitStore, run: string): Promise<PinPack | undefined> {
  const text = await readFile(join(getCopyFolder(store), `${run}.json`), "utf8").catch(() => undefined);
  // Written by `copyPins` only, atomically.
  return text === undefined ? undefined : (JSON.parse(text) as PinPack);
}

async function listCopyFiles(store: GitStore, run: string): Promise<readonly string[]> {
  const names = await readdir(getCopyFolder(store)).catch(() => []);
  return names.filter((name) => name.startsWith(`${run}.json`) || isPackFile(name, run));
}

function isPackFile(name: string, run: string): boolean {
  return name.startsWith(`${run}-`) && /^[0-9a-f]{40,64}\.[a-z]+$/.test(name.slice(run.length + 1));
}

function getCopyFolder(store: GitStore): string {
  return join(store.dir, "kept");
}
