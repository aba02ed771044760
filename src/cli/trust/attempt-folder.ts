import { readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { PostedDispatch } from "../../core/ports/mailbox.ts";
import { readOutsideJson } from "../../node/outside-file.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

const MOST_BYTES = 16 * 1024 * 1024;

type CallerLocation = { readonly places: RepositoryPlaces; readonly cwd: string };

/**
 * The attempt's folder that a caller stands in, or that he names as the repository: whoever does somebody's work there is
 * no person, though nobody here started him. Repositories that tests make for themselves are left to them.
 */
export function attemptFolderOf({ places, cwd }: CallerLocation): string | undefined {
  const folders = [...attemptsIn(places.cache), ...postedIn(places.mailbox)].map(real);
  const named = folders.find((folder) => isWithin(folder, places.top));
  if (named !== undefined) return named;
  const around = folders.find((folder) => isWithin(folder, cwd));
  return around !== undefined && isTheirs(places, around) ? around : undefined;
}

/** A throw-away repository is nobody's but his who made it, unless the attempt is of one of its own runs. */
function isTheirs({ top, runs }: RepositoryPlaces, folder: string): boolean {
  return !isWithin(tmpdir(), top) || namesIn(runs).some((run) => basename(folder).startsWith(`${run}-`));
}

const attemptsIn = (cache: string): readonly string[] =>
  namesIn(join(cache, "attempts")).map((name) => join(cache, "attempts", name));

/** Also where the caller has another cache than the engine. */
function postedIn(mailbox: string): readonly string[] {
  return namesIn(mailbox).flatMap((id) => {
    const read = readOutsideJson(join(mailbox, id, "dispatch.json"), MOST_BYTES);
    // Else withdrawn meanwhile, or not one of ours.
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

/** The folder itself, or anything below it. */
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
