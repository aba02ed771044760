import { existsSync, readdirSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { makeFolder } from "./make-folder.ts";

type ExcludePaths = { readonly top: string; readonly exclude: string };

/** Adds lines to this clone's `info/exclude`. Returns the lines that were missing. */
export async function addExcludes({ exclude }: ExcludePaths, lines: readonly string[]): Promise<readonly string[]> {
  const text = readExcludes(exclude);
  const missing = lines.filter((line) => !text.split("\n").includes(line));
  if (missing.length === 0) return [];
  await makeFolder(dirname(exclude));
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(exclude, `${gap}${missing.join("\n")}\n`);
  return missing;
}

/** Earlier versions wrote these two lines together into every clone; a line written by a person stands alone. */
const BROAD_LINES = ["/prompts/", "/docs/docs_cache_state.yaml"] as const;

/**
 * Removes the line that made git ignore all of `prompts/`. Existing ticket folders and their document cache stay
 * ignored. Returns the patterns that are no longer ignored.
 */
export async function removeBroadExclude({ top, exclude }: ExcludePaths): Promise<readonly string[]> {
  const lines = readExcludes(exclude).split("\n");
  const at = lines.findIndex((line, index) => line === BROAD_LINES[0] && lines[index + 1] === BROAD_LINES[1]);
  if (at < 0) return [];
  const tickets = listTicketFolders(join(top, "prompts"));
  const kept = tickets.length > 0 || existsSync(join(top, BROAD_LINES[1])) ? [BROAD_LINES[1]] : [];
  const known = new Set(lines);
  const narrow = tickets.map((name) => `${BROAD_LINES[0]}${name}/`).filter((line) => !known.has(line));
  await writeFile(exclude, lines.toSpliced(at, BROAD_LINES.length, ...narrow, ...kept).join("\n"));
  return [BROAD_LINES[0]];
}

function listTicketFolders(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => existsSync(join(dir, name, "progress.yaml")));
  } catch {
    return [];
  }
}

/** Describes a changed exclude list for the user. */
export function describeExcludes(added: readonly string[], removed: readonly string[]): readonly string[] {
  return [
    ...(removed.length > 0
      ? [`git no longer ignores all of ${removed.join(" and ")}: an earlier version added that to .git/info/exclude`]
      : []),
    ...(added.length > 0
      ? [`git ignores ${added.join(" and ")} in this clone from now on: the pipeline writes there (.git/info/exclude)`]
      : []),
  ];
}

function readExcludes(file: string): string {
  const read = readThroughLinks(file);
  if (read.ok) return read.text;
  if (read.gone) return "";
  const message = `${file}, git's exclude list of this clone, cannot be read: ${read.problem}`;
  throw new SignalboxError("CHECKOUT_UNREADABLE", message, `Remove it, or replace it with a regular file: rm ${file}`);
}
