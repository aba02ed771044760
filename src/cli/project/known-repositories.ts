import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import type { World } from "../../core/ports/world.ts";
import { makeFolder } from "./make-folder.ts";
import { getStateFolder } from "./user-folders.ts";

/** A repository in which this user has started runs. */
export type KnownRepository = { readonly id: string; readonly name: string; readonly top: string };

const RepositoryFile = z.object({ v: z.literal(1), top: z.string().startsWith("/") });

/** Each repository has its own file, so that concurrent writers need no lock and duplicates collapse. */
const getRepositoriesFolder = (): string => join(getStateFolder(), "repositories");

/**
 * Records the repository for commands that list all of them. A failed write is ignored because it must not stop a run.
 */
export async function noteRepository(top: string, world: Pick<World, "hash" | "newId">): Promise<void> {
  const file = join(getRepositoriesFolder(), `${toRepositoryId(top, world)}.json`);
  if (existsSync(file)) return;
  const fresh = `${file}.${world.newId().slice(0, 8)}`;
  try {
    await makeFolder(getRepositoriesFolder(), 0o700);
    await writeFile(fresh, `${JSON.stringify({ v: 1, top })}\n`, { mode: 0o600 });
    await rename(fresh, file);
  } catch {
    await rm(fresh, { force: true }).catch(() => undefined);
  }
}

/** Lists the repositories that still exist and removes records of the others. */
export async function listKnownRepositories(world: Pick<World, "hash">): Promise<readonly KnownRepository[]> {
  const names = await readdir(getRepositoriesFolder()).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map((name) => readRepositoryFile(join(getRepositoriesFolder(), name), world)),
  );
  return found.flat().toSorted((a, b) => a.name.localeCompare(b.name) || a.top.localeCompare(b.top));
}

async function readRepositoryFile(file: string, world: Pick<World, "hash">): Promise<readonly KnownRepository[]> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const entry = text === undefined ? undefined : RepositoryFile.safeParse(parseKnownRepositories(text)).data;
  if (entry && existsSync(join(entry.top, ".git"))) {
    return [{ id: toRepositoryId(entry.top, world), name: basename(entry.top), top: entry.top }];
  }
  await rm(file, { force: true }).catch(() => undefined);
  return [];
}

function toRepositoryId(top: string, { hash }: Pick<World, "hash">): string {
  return hash(top).slice(0, 16);
}

function parseKnownRepositories(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
