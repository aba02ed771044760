import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listCreatedFolders } from "../../../core/checks/setup/created-folders.ts";
import type { AttemptRequest, CheckLog, Effect } from "../../../core/journal/effect.ts";
import type { SandboxMount } from "../../../core/ports/processes.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import { readPrintedText } from "../checks/printed-text.ts";
import type { ExecutorDeps } from "../executor.ts";
import { readEntryKind } from "../setup/folder-entries.ts";
import { installCachedSetup } from "../setup/install-cached-setup.ts";
import { INPUT_FOLDER, type InputPart, listLongParts } from "./input-parts.ts";
import { deduplicateInput } from "./prompt-input.ts";

/** Files that the engine added to the tree for the agent alone. */
export type AddedFiles = {
  /** All of them, and what the set-up would create: never taken, never reported. */
  readonly paths: readonly string[];
  /** The kind of set-up that is installed: for this very tree, or for the tree that the run started from. */
  readonly setup?: "exact" | "base";
  /** Files with the complete output of checks. */
  readonly logs: readonly string[];
  /** Parts of the input that the prompt only names; absent in older folders. */
  readonly input?: readonly Omit<InputPart, "text">[];
};

type FileTarget = {
  readonly folder: Pick<WorkFolder, "dir" | "fill" | "place" | "part">;
  readonly writes: boolean;
  /** Folder for the files of this agent alone, if other agents read the checkout too: see `listShownFiles`. */
  readonly apart?: string | undefined;
};

export async function addFiles(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  { folder, writes, apart }: FileTarget,
): Promise<AddedFiles> {
  const dir = folder.part?.of ?? folder.dir;
  const isShared = apart !== undefined;
  const brought = await folder.fill(async () => {
    const all = await installSetup(parts, effect.request, { folder, writes });
    const isReady = isShared && (await makeEmpty(dir));
    if (isReady) await parts.workspace.hide(dir, [...all.paths, ...ADDED_FOLDERS]);
    return { all, isReady };
  });
  const place = isShared ? (brought.isReady ? apart : undefined) : dir;
  const logs = place === undefined ? [] : await writeCheckLogs(parts, effect, place);
  const input = place === undefined ? [] : await writeInputParts(parts, effect.request, place);
  const own = [...(logs.length > 0 ? [LOGS] : []), ...(input.length > 0 ? [INPUT_FOLDER] : [])];
  const paths = [...brought.all.paths, ...own];
  if (!isShared) await parts.workspace.hide(dir, paths);
  return { ...brought.all, paths, logs, input };
}

/** Lists what an agent is shown in place of the empty folders of a shared checkout. */
export function listShownFiles({
  dir,
  apart,
}: {
  readonly dir: string;
  readonly apart: string;
}): readonly SandboxMount[] {
  const all = ADDED_FOLDERS.map((path) => ({ from: join(apart, path), at: join(dir, path) }));
  return all.filter(({ from, at }) => existsSync(from) && existsSync(at));
}

/** Creates empty folders as mount points; git does not see them. False if files of the tree are in the way. */
async function makeEmpty(dir: string): Promise<boolean> {
  for (const path of ADDED_FOLDERS) {
    if (!(await isFolderSafe(dir, path))) return false;
    await mkdir(join(dir, path), { recursive: true });
  }
  return true;
}

/** Writes long parts of the input as files. A part that cannot be written stays in the prompt. */
async function writeInputParts(
  { world }: ExecutorDeps,
  { input }: AttemptRequest,
  dir: string,
): Promise<WrittenPart[]> {
  const long = listLongParts(deduplicateInput(input));
  if (long.length === 0 || !(await isFolderSafe(dir, INPUT_FOLDER))) return [];
  await mkdir(join(dir, INPUT_FOLDER), { recursive: true });
  const laid: WrittenPart[] = [];
  for (const { part, path, text } of long) {
    if (await isWritten(join(dir, path), `${world.redact(text)}\n`)) laid.push({ part, path });
  }
  return laid;
}

type WrittenPart = Omit<InputPart, "text">;

/** A read-only agent may not need the set-up, so it is copied only if that takes about a second. */
const QUICK_ENTRIES = 8_000;

/** Returns the largest set-up to copy for this dispatch, in files and folders; undefined means any size. */
export const getSetupLimit = (request: Pick<AttemptRequest, "checks">, writes: boolean): number | undefined =>
  writes || hasTreeResults(request) ? undefined : QUICK_ENTRIES;

/** The agent sees check results for its tree, which it cannot reproduce without the installed dependencies. */
export const hasTreeResults = ({ checks = [] }: Pick<AttemptRequest, "checks">): boolean =>
  checks.some(({ now }) => now !== undefined);

type InstalledSetup = Pick<AddedFiles, "paths" | "setup">;

async function installSetup(
  parts: ExecutorDeps,
  request: AttemptRequest,
  { folder, writes }: Pick<FileTarget, "folder" | "writes">,
): Promise<InstalledSetup> {
  const { setup, tree } = request;
  const dir = folder.part?.of ?? folder.dir;
  if (!setup) return { paths: [] };
  const laid = await installCachedSetup(parts, { dir, folder, tree, setup, most: getSetupLimit(request, writes) });
  if (laid) return { paths: laid.made, setup: laid.exact ? "exact" : "base" };
  // An agent that is told to run the set-up creates these paths; paths that the tree has belong to the tree.
  const known = listCreatedFolders(setup.run);
  const there = await Promise.all(known.map((path) => readEntryKind(join(dir, path))));
  return { paths: known.filter((_path, at) => there[at] === undefined) };
}

/** Below the engine's own folder, from which nothing is ever taken. */
const LOGS = ".signalbox/checks";
export const ADDED_FOLDERS = [LOGS, INPUT_FOLDER];
const MOST_BYTES = 512 * 1024;

async function writeCheckLogs(
  parts: ExecutorDeps,
  { run, request }: Effect<"attempt">,
  dir: string,
): Promise<string[]> {
  const wanted = request.logs ?? [];
  if (wanted.length === 0 || !(await isFolderSafe(dir, LOGS))) return [];
  await mkdir(join(dir, LOGS), { recursive: true });
  const paths: string[] = [];
  for (const log of wanted) {
    const text = await readCheckOutput(parts, run, log);
    const path = `${LOGS}/${getLogName(log, paths.length, wanted)}`;
    // If the check ran on another machine, its output is not here.
    if (text === undefined || !(await isWritten(join(dir, path), text))) continue;
    paths.push(path);
  }
  return paths;
}

/** Returns whether a folder of ours can be written: no link or file of the tree is in its place. */
async function isFolderSafe(dir: string, folder: string): Promise<boolean> {
  for (const path of [".signalbox", folder]) {
    const kind = await readEntryKind(join(dir, path));
    if (kind !== undefined && kind !== "folder") return false;
  }
  return true;
}

async function isWritten(file: string, text: string): Promise<boolean> {
  return writeFile(file, text, { flag: "wx" }).then(
    () => true,
    () => false,
  );
}

/** Adds a number if the same command failed on several trees. */
function getLogName({ name }: CheckLog, at: number, all: readonly CheckLog[]): string {
  const plain = name.replace(/[^\w.-]+/g, "-");
  return all.filter((each) => each.name === name).length > 1 ? `${plain}-${at + 1}.log` : `${plain}.log`;
}

async function readCheckOutput(parts: ExecutorDeps, run: string, { output }: CheckLog): Promise<string | undefined> {
  const folder = join(parts.runs, run, "spool", output);
  const texts = await Promise.all(["stdout", "stderr"].map((name) => readPrintedText(join(folder, name), MOST_BYTES)));
  const there = texts.filter((text) => text !== undefined && text !== "");
  return there.length === 0 ? undefined : parts.world.redact(there.join("\n"));
}
