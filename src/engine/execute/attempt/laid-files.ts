import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { broughtBy } from "../../../core/checks/setup/brought-by.ts";
import type { AttemptRequest, CheckLog, Effect } from "../../../core/journal/effect.ts";
import type { Shown } from "../../../core/ports/processes.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import { printedText } from "../checks/printed-text.ts";
import type { ExecutorParts } from "../executor.ts";
import { kindAt } from "../setup/folder-entries.ts";
import { laySetup } from "../setup/laid-setup.ts";
import { INPUT_FOLDER, type InputPart, longParts } from "./input-parts.ts";
import { saidOnce } from "./prompt-input.ts";

/** What the engine put beside the files of the tree, for the agent alone. */
export type LaidFiles = {
  /** All of it, and what the set-up would bring: never taken, never reported. */
  readonly paths: readonly string[];
  /** The set-up is there: that of this very tree, or that of the tree which the run started from. */
  readonly setup?: "exact" | "base";
  /** Where the whole output of checks can be read. */
  readonly logs: readonly string[];
  /** Parts of the input that the prompt only names; absent in folders of before there were any. */
  readonly input?: readonly Omit<InputPart, "text">[];
};

type LayingPlace = {
  readonly folder: Pick<WorkFolder, "dir" | "fill" | "place" | "part">;
  readonly writes: boolean;
  /** Where what is for this agent alone lies instead, in a folder that others read too: see `shownFiles`. */
  readonly apart?: string | undefined;
};

export async function layFiles(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  { folder, writes, apart }: LayingPlace,
): Promise<LaidFiles> {
  const dir = folder.part?.of ?? folder.dir;
  const isShared = apart !== undefined;
  const brought = await folder.fill(async () => {
    const all = await setupFiles(parts, effect.request, { folder, writes });
    const isReady = isShared && (await makeEmpty(dir));
    if (isReady) await parts.workspace.hide(dir, [...all.paths, ...LAID_FOLDERS]);
    return { all, isReady };
  });
  const place = isShared ? (brought.isReady ? apart : undefined) : dir;
  const logs = place === undefined ? [] : await layLogs(parts, effect, place);
  const input = place === undefined ? [] : await layInput(parts, effect.request, place);
  const own = [...(logs.length > 0 ? [LOGS] : []), ...(input.length > 0 ? [INPUT_FOLDER] : [])];
  const paths = [...brought.all.paths, ...own];
  if (!isShared) await parts.workspace.hide(dir, paths);
  return { ...brought.all, paths, logs, input };
}

/** Of a folder that others read too: what an agent is shown in the place of empty folders there. */
export function shownFiles({ dir, apart }: { readonly dir: string; readonly apart: string }): readonly Shown[] {
  const all = LAID_FOLDERS.map((path) => ({ from: join(apart, path), at: join(dir, path) }));
  return all.filter(({ from, at }) => existsSync(from) && existsSync(at));
}

/** Nothing of it is seen by git, and it is something to show files in. False where the tree is in the way. */
async function makeEmpty(dir: string): Promise<boolean> {
  for (const path of LAID_FOLDERS) {
    if (!(await isOurs(dir, path))) return false;
    await mkdir(join(dir, path), { recursive: true });
  }
  return true;
}

/** What could not be laid stands in the prompt. */
async function layInput({ world }: ExecutorParts, { input }: AttemptRequest, dir: string): Promise<LaidInput[]> {
  const long = longParts(saidOnce(input));
  if (long.length === 0 || !(await isOurs(dir, INPUT_FOLDER))) return [];
  await mkdir(join(dir, INPUT_FOLDER), { recursive: true });
  const laid: LaidInput[] = [];
  for (const { part, path, text } of long) {
    if (await isWritten(join(dir, path), `${world.redact(text)}\n`)) laid.push({ part, path });
  }
  return laid;
}

type LaidInput = Omit<InputPart, "text">;

/** Whoever only reads may need none of it, so it is copied where that takes about a second. */
const QUICK_ENTRIES = 8_000;

/** The largest set-up that is copied for this dispatch, in files and folders; undefined where any is. */
export const mostEntries = (request: Pick<AttemptRequest, "checks">, writes: boolean): number | undefined =>
  writes || isJudging(request) ? undefined : QUICK_ENTRIES;

/** It is told what checks said of its very tree, and cannot see that for itself without the set-up. */
export const isJudging = ({ checks = [] }: Pick<AttemptRequest, "checks">): boolean =>
  checks.some(({ now }) => now !== undefined);

type SetupFiles = Pick<LaidFiles, "paths" | "setup">;

async function setupFiles(
  parts: ExecutorParts,
  request: AttemptRequest,
  { folder, writes }: Pick<LayingPlace, "folder" | "writes">,
): Promise<SetupFiles> {
  const { setup, tree } = request;
  const dir = folder.part?.of ?? folder.dir;
  if (!setup) return { paths: [] };
  const laid = await laySetup(parts, { dir, folder, tree, setup, most: mostEntries(request, writes) });
  if (laid) return { paths: laid.made, setup: laid.exact ? "exact" : "base" };
  // Who is told to run it brings these; what a tree has of them is the tree's.
  const known = broughtBy(setup.run);
  const there = await Promise.all(known.map((path) => kindAt(join(dir, path))));
  return { paths: known.filter((_path, at) => there[at] === undefined) };
}

/** Of the engine's own place, from which nothing is ever taken. */
const LOGS = ".signalbox/checks";
export const LAID_FOLDERS = [LOGS, INPUT_FOLDER];
const MOST_BYTES = 512 * 1024;

async function layLogs(parts: ExecutorParts, { run, request }: Effect<"attempt">, dir: string): Promise<string[]> {
  const wanted = request.logs ?? [];
  if (wanted.length === 0 || !(await isOurs(dir, LOGS))) return [];
  await mkdir(join(dir, LOGS), { recursive: true });
  const paths: string[] = [];
  for (const log of wanted) {
    const text = await printedBy(parts, run, log);
    const path = `${LOGS}/${fileName(log, paths.length, wanted)}`;
    // Where the check ran on another machine, nothing of it is here.
    if (text === undefined || !(await isWritten(join(dir, path), text))) continue;
    paths.push(path);
  }
  return paths;
}

/** No link of the tree leads it elsewhere. */
async function isOurs(dir: string, folder: string): Promise<boolean> {
  for (const path of [".signalbox", folder]) {
    const kind = await kindAt(join(dir, path));
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

/** Numbered where the same command failed on several trees. */
function fileName({ name }: CheckLog, at: number, all: readonly CheckLog[]): string {
  const plain = name.replace(/[^\w.-]+/g, "-");
  return all.filter((each) => each.name === name).length > 1 ? `${plain}-${at + 1}.log` : `${plain}.log`;
}

async function printedBy(parts: ExecutorParts, run: string, { output }: CheckLog): Promise<string | undefined> {
  const folder = join(parts.runs, run, "spool", output);
  const texts = await Promise.all(["stdout", "stderr"].map((name) => printedText(join(folder, name), MOST_BYTES)));
  const there = texts.filter((text) => text !== undefined && text !== "");
  return there.length === 0 ? undefined : parts.world.redact(there.join("\n"));
}
