import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import type { World } from "../../../core/ports/world.ts";
import { copyEntries, protectFiles, readSetupEntries, SetupEntry } from "./copied-entries.ts";
import { readEntryKind } from "./folder-entries.ts";
import { findRootedFiles, replaceRoot } from "./rooted-files.ts";

const SetupManifest = z.object({
  made: z.array(z.string()),
  entries: z.array(SetupEntry),
  /** The repository that it was made for: only its `gc` removes it. */
  runs: z.string().optional(),
  /** The folder in which it was made, and the files that contain that path. */
  rooted: z.object({ dir: z.string(), paths: z.array(z.string()) }).optional(),
  digest: z.string(),
});
type SetupManifest = z.infer<typeof SetupManifest>;

type CachedSetup = {
  readonly cache: string;
  readonly key: string;
  readonly dir: string;
  /** The work folder, if a previous checkout's dependencies can be reused in it. */
  readonly folder?: Pick<WorkFolder, "place"> | undefined;
  /** Identifies the repository. */
  readonly runs: string;
  readonly world: World;
  /** Largest number of files and folders to copy. */
  readonly most?: number | undefined;
};

const CHANGED = "the cached set-up was changed, so it was made again";
const NO_FOLDER = "the folder of cached set-ups is a link and was not used, so the set-up was made again";

type CacheResult =
  | { readonly as: "ready"; readonly made: readonly string[] }
  /** `because`: what is wrong with the cached one. */
  | { readonly as: "none"; readonly because?: string };

/**
 * Copies a cached set-up into a checkout. The digest of the copy is compared, so a change of the cached one meanwhile
 * has no effect. A copy that differs is removed, and the cached one too.
 */
export async function copyCachedSetup(at: CachedSetup): Promise<CacheResult> {
  const place = resolveCachedSetup(at);
  const kind = await readEntryKind(place);
  if (kind === undefined) return { as: "none" };
  if ((await readEntryKind(dirname(place))) !== "folder") return { as: "none", because: NO_FOLDER };
  const manifest = kind === "folder" ? await readSetupManifest(place, at.world) : undefined;
  if (manifest && manifest.entries.length > (at.most ?? Number.POSITIVE_INFINITY)) return { as: "none" };
  if (manifest && !(await isFree(at.dir, manifest.made))) return { as: "none" };
  if (manifest && (await isCopied(at, place, manifest))) {
    const { rooted } = manifest;
    if (rooted) await replaceRoot(rooted.paths, { from: rooted.dir, to: at.dir });
    return { as: "ready", made: manifest.made };
  }
  for (const path of manifest?.made ?? []) await rm(join(at.dir, path), { recursive: true, force: true });
  await rm(place, { recursive: true, force: true });
  return { as: "none", because: CHANGED };
}

/** A set-up that contains its own path cannot be moved from one folder to the next. */
function isCopied({ dir, key, folder }: CachedSetup, place: string, { made, entries, rooted }: SetupManifest) {
  const copy = (to: string, paths?: ReadonlySet<string>) =>
    copyEntries(
      join(place, "made"),
      to,
      entries.filter(({ path, kind }) => !paths || kind === "folder" || paths.has(path)),
    );
  return folder && !rooted ? folder.place({ key, made, entries, copy }) : copy(dir);
}

/** Stores a set-up. It is renamed into place when complete, so an interrupted one is never used. */
export async function storeSetup(at: CachedSetup, made: readonly string[]): Promise<void> {
  const place = resolveCachedSetup(at);
  const fresh = `${place}.${at.world.newId().slice(0, 8)}`;
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  if ((await readEntryKind(dirname(place))) !== "folder") return;
  try {
    await mkdir(join(fresh, "made"), { recursive: true, mode: 0o700 });
    const entries = await readSetupEntries(at.dir, made);
    if (!entries || !(await copyEntries(at.dir, join(fresh, "made"), entries))) return;
    await protectFiles(join(fresh, "made"), entries);
    const paths = [...(await findRootedFiles(at.dir, entries))];
    const rooted = paths.length > 0 ? { rooted: { dir: at.dir, paths } } : {};
    const content = { made: [...made], entries: [...entries], runs: at.runs, ...rooted };
    const manifest: SetupManifest = { ...content, digest: hashManifest(content, at.world) };
    await writeFile(join(fresh, "manifest.json"), JSON.stringify(manifest), { mode: 0o400 });
    // Another process may have stored the same set-up first.
    await rename(fresh, place).catch(() => undefined);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

const resolveCachedSetup = ({ cache, key }: CachedSetup): string => join(cache, "setups", key);

async function readSetupManifest(place: string, world: World): Promise<SetupManifest | undefined> {
  try {
    const manifest = SetupManifest.parse(JSON.parse(await readFile(join(place, "manifest.json"), "utf8")));
    return manifest.digest === hashManifest(manifest, world) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function hashManifest({ made, entries, rooted }: Omit<SetupManifest, "digest">, world: World): string {
  const rows = entries.map(({ path, kind, content, mode }) => [path, kind, content, mode]);
  return world.hash(JSON.stringify([made, rows, ...(rooted ? [rooted] : [])]));
}

/** True if the copy covers no path of the tree and no link leads it elsewhere: checks judge the tree. */
async function isFree(dir: string, made: readonly string[]): Promise<boolean> {
  for (const path of made) {
    if ((await readEntryKind(join(dir, path))) !== undefined) return false;
    for (let above = dirname(path); above !== "."; above = dirname(above)) {
      if ((await readEntryKind(join(dir, above))) !== "folder") return false;
    }
  }
  return true;
}
