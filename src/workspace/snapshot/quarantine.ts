import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atEnd } from "../repository/at-end.ts";
import type { Store } from "../repository/store.ts";

/** Git itself begins such names so, and its own tidying removes what is left of them. */
export const QUARANTINE = "tmp_objdir-signalbox-";

type Objects = { readonly GIT_OBJECT_DIRECTORY: string };

/**
 * New objects lie in a folder of their own until all of them are there: a git that is ended in the middle leaves half
 * of a file, and nobody could tell whose it is. Beside the others, so that they come there by a rename.
 */
export async function inQuarantine<T>(store: Store, body: (objects: Objects) => Promise<T>): Promise<T> {
  const { objects } = store.repository;
  const dir = join(objects, `${QUARANTINE}${randomUUID()}`);
  const forget = atEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 }));
  try {
    // One at a time: a repository that was moved away is not made anew.
    await mkdir(dir);
    await mkdir(join(dir, "info"));
    await writeFile(join(dir, "info", "alternates"), `${objects}\n`);
    const result = await body({ GIT_OBJECT_DIRECTORY: dir });
    await release(dir, objects);
    return result;
  } finally {
    await rm(dir, { recursive: true, force: true });
    forget();
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function release(from: string, to: string): Promise<void> {
  const folders = (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders) {
    await mkdir(join(to, folder)).catch(unlessThere);
    // One that is there already has the same name because it has the same content.
    const names = await readdir(join(from, folder));
    await Promise.all(names.map((name) => rename(join(from, folder, name), join(to, folder, name))));
  }
}
