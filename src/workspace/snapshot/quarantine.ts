import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { registerCleanup } from "../repository/exit-cleanup.ts";
import type { GitStore } from "../repository/git-store.ts";

/** Git uses this prefix itself, and its own cleanup removes leftovers. */
export const QUARANTINE = "tmp_objdir-signalbox-";

type ObjectEnvironment = { readonly GIT_OBJECT_DIRECTORY: string };

/**
 * Writes new objects to a temporary folder until all are complete: a git that is killed leaves partial files that
 * cannot be attributed. Located next to the objects, so that they can be moved by a rename.
 */
export async function withQuarantine<T>(store: GitStore, body: (objects: ObjectEnvironment) => Promise<T>): Promise<T> {
  const { objects } = store.repository;
  const dir = join(objects, `${QUARANTINE}${randomUUID()}`);
  const forget = registerCleanup(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 }));
  try {
    // Not recursive, so that a repository that was moved away is not recreated.
    await mkdir(dir);
    await mkdir(join(dir, "info"));
    await writeFile(join(dir, "info", "alternates"), `${objects}\n`);
    const result = await body({ GIT_OBJECT_DIRECTORY: dir });
    await moveObjects(dir, objects);
    return result;
  } finally {
    await rm(dir, { recursive: true, force: true });
    forget();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function moveObjects(from: string, to: string): Promise<void> {
  const folders = (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders) {
    await mkdir(join(to, folder)).catch(ignoreExisting);
    // An existing folder or object with this name has the same content.
    const names = await readdir(join(from, folder));
    await Promise.all(names.map((name) => rename(join(from, folder, name), join(to, folder, name))));
  }
}
