import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeFolder } from "../../node/remove-folder.ts";

/** Dependencies that set-ups have installed, kept to be handed out again: they are made anew where they are missed. */
export type KeptSetups = {
  readonly names: readonly string[];
  readonly bytes: number;
  /** Of other repositories, or of nobody who is known: not among the names unless all were asked for. */
  readonly others: number;
  remove(): Promise<void>;
};

export type SetupsQuestion = { readonly cache: string; readonly own: string; readonly all: boolean };

/** Those that runs and trials below `own` have made. */
export async function keptSetups({ cache, own, all }: SetupsQuestion): Promise<KeptSetups> {
  const folder = join(cache, "setups");
  const found = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const owners = await Promise.all(found.map(ownerOf));
  const names = found.filter((_name, at) => all || owners[at]?.startsWith(`${own}/`));
  return {
    names,
    bytes: await bytesOf(names),
    others: await bytesOf(found.filter((name) => !names.includes(name))),
    async remove() {
      for (const name of names) await removeFolder(name);
    },
  };
}

const Owned = z.object({ runs: z.string() });

async function ownerOf(setup: string): Promise<string | undefined> {
  const text = await readFile(join(setup, "manifest.json"), "utf8").catch(() => "");
  try {
    return Owned.parse(JSON.parse(text)).runs;
  } catch {
    return undefined;
  }
}

async function bytesOf(folders: readonly string[]): Promise<number> {
  return (await Promise.all(folders.map(bytesBelow))).reduce((sum, each) => sum + each, 0);
}

/** On disk, links not followed; what cannot be looked at counts as nothing. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
