import { readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { PostedDispatch } from "../../core/ports/mailbox.ts";
import { readOutsideJson } from "../../node/outside-file.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

const MOST_BYTES = 16 * 1024 * 1024;

type CallerLocation = { readonly places: RepositoryPlaces; readonly cwd: string };

/**
 * Returns the attempt folder that the caller is in or names as the repository. A caller there works for an agent and is
 * not a person, even if no run started it. Repositories that tests create inside are excluded.
 */
export function findAttemptFolder({ places, cwd }: CallerLocation): string | undefined {
  const folders = [...listAttemptFolders(places.cache), ...listPostedFolders(places.mailbox)].map(resolveRealPath);
  const named = folders.find((folder) => contains(folder, places.top));
  if (named !== undefined) return named;
  const around = folders.find((folder) => contains(folder, cwd));
  return around !== undefined && isOwnAttempt(places, around) ? around : undefined;
}

/** A temporary repository belongs to whoever created it, unless the attempt is from one of its own runs. */
function isOwnAttempt({ top, runs }: RepositoryPlaces, folder: string): boolean {
  return !contains(tmpdir(), top) || listNames(runs).some((run) => basename(folder).startsWith(`${run}-`));
}

const listAttemptFolders = (cache: string): readonly string[] =>
  listNames(join(cache, "attempts")).map((name) => join(cache, "attempts", name));

/** Lists the folders of posted dispatches, which are found even if the caller uses another cache than the engine. */
function listPostedFolders(mailbox: string): readonly string[] {
  return listNames(mailbox).flatMap((id) => {
    const read = readOutsideJson(join(mailbox, id, "dispatch.json"), MOST_BYTES);
    // Other content was withdrawn in the meantime or is not ours.
    return read.ok ? (PostedDispatch.safeParse(read.value).data?.cwd ?? []) : [];
  });
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns true for the folder itself and everything below it. */
function contains(folder: string, path: string): boolean {
  const way = relative(resolveRealPath(folder), resolveRealPath(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
