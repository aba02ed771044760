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
export function attemptFolderOf({ places, cwd }: CallerLocation): string | undefined {
  const folders = [...attemptsIn(places.cache), ...postedIn(places.mailbox)].map(real);
  const named = folders.find((folder) => isWithin(folder, places.top));
  if (named !== undefined) return named;
  const around = folders.find((folder) => isWithin(folder, cwd));
  return around !== undefined && isTheirs(places, around) ? around : undefined;
}

/** A temporary repository belongs to whoever created it, unless the attempt is from one of its own runs. */
function isTheirs({ top, runs }: RepositoryPlaces, folder: string): boolean {
  return !isWithin(tmpdir(), top) || namesIn(runs).some((run) => basename(folder).startsWith(`${run}-`));
}

const attemptsIn = (cache: string): readonly string[] =>
  namesIn(join(cache, "attempts")).map((name) => join(cache, "attempts", name));

/** Lists the folders of posted dispatches, which are found even if the caller uses another cache than the engine. */
function postedIn(mailbox: string): readonly string[] {
  return namesIn(mailbox).flatMap((id) => {
    const read = readOutsideJson(join(mailbox, id, "dispatch.json"), MOST_BYTES);
    // Other content was withdrawn in the meantime or is not ours.
    return read.ok ? (PostedDispatch.safeParse(read.value).data?.cwd ?? []) : [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns true for the folder itself and everything below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(real(folder), real(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
