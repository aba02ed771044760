import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeFolder } from "../../node/remove-folder.ts";

/** Cached dependencies from set-ups. They are installed again when needed. */
export type CachedSetups = {
  readonly names: readonly string[];
  readonly bytes: number;
  /** Size of those that belong to other or unknown repositories. Not included in `names` unless all were requested. */
  readonly others: number;
  remove(): Promise<void>;
};

export type SetupQuery = { readonly cache: string; readonly own: string; readonly all: boolean };

/** Finds the set-ups made by runs and trials below `own`. */
export async function findCachedSetups({ cache, own, all }: SetupQuery): Promise<CachedSetups> {
  const folder = join(cache, "setups");
  const found = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const owners = await Promise.all(found.map(readSetupOwner));
  const names = found.filter((_name, at) => all || owners[at]?.startsWith(`${own}/`));
  return {
    names,
    bytes: await sumSizes(names),
    others: await sumSizes(found.filter((name) => !names.includes(name))),
    async remove() {
      for (const name of names) await removeFolder(name);
    },
  };
}

const SetupManifest = z.object({ runs: z.string() });

async function readSetupOwner(setup: string): Promise<string | undefined> {
  const text = await readFile(join(setup, "manifest.json"), "utf8").catch(() => "");
  try {
    return SetupManifest.parse(JSON.parse(text)).runs;
  } catch {
    return undefined;
  }
}

async function sumSizes(folders: readonly string[]): Promise<number> {
  return (await Promise.all(folders.map(measureFolder))).reduce((sum, each) => sum + each, 0);
}

/** Returns the size on disk without following links; unreadable folders count as empty. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
