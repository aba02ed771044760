import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../../node/remove-folder.ts";

/** Dependencies that set-ups have installed, kept to be handed out again: they are made anew where they are missed. */
export type KeptSetups = { readonly names: readonly string[]; readonly bytes: number; remove(): Promise<void> };

export async function keptSetups(cache: string): Promise<KeptSetups> {
  const folder = join(cache, "setups");
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const bytes = (await Promise.all(names.map(bytesBelow))).reduce((sum, each) => sum + each, 0);
  return {
    names,
    bytes,
    async remove() {
      for (const name of names) await removeFolder(name);
    },
  };
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
