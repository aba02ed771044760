import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { broughtBy } from "../../../core/checks/setup/brought-by.ts";
import type { AttemptRequest, CheckLog, Effect } from "../../../core/journal/effect.ts";
import { printedText } from "../checks/printed-text.ts";
import type { ExecutorParts } from "../executor.ts";
import { kindAt } from "../setup/folder-entries.ts";
import { laySetup } from "../setup/laid-setup.ts";

/** What the engine put beside the files of the tree, for the agent alone. */
export type LaidFiles = {
  /** All of it, and what the set-up would bring: never taken, never reported. */
  readonly paths: readonly string[];
  /** The set-up is there: that of this very tree, or that of the tree which the run started from. */
  readonly setup?: "exact" | "base";
  /** Where the whole output of checks can be read. */
  readonly logs: readonly string[];
};

type LayingPlace = { readonly dir: string; readonly writes: boolean };

export async function layFiles(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  { dir, writes }: LayingPlace,
): Promise<LaidFiles> {
  const brought = await setupFiles(parts, effect.request, { dir, writes });
  const logs = await layLogs(parts, effect, dir);
  const paths = [...brought.paths, ...(logs.length > 0 ? [LOGS] : [])];
  await parts.workspace.hide(dir, paths);
  return { ...brought, paths, logs };
}

/** Whoever only reads may need none of it, so it is copied where that takes about a second. */
const QUICK_ENTRIES = 8_000;

type SetupFiles = Pick<LaidFiles, "paths" | "setup">;

async function setupFiles(
  parts: ExecutorParts,
  { setup, tree }: AttemptRequest,
  { dir, writes }: LayingPlace,
): Promise<SetupFiles> {
  if (!setup) return { paths: [] };
  const laid = await laySetup(parts, { dir, tree, setup, most: writes ? undefined : QUICK_ENTRIES });
  if (laid) return { paths: laid.made, setup: laid.exact ? "exact" : "base" };
  // Who is told to run it brings these; what a tree has of them is the tree's.
  const known = broughtBy(setup.run);
  const there = await Promise.all(known.map((path) => kindAt(join(dir, path))));
  return { paths: known.filter((_path, at) => there[at] === undefined) };
}

/** Of the engine's own place, from which nothing is ever taken. */
const LOGS = ".signalbox/checks";
const MOST_BYTES = 512 * 1024;

async function layLogs(parts: ExecutorParts, { run, request }: Effect<"attempt">, dir: string): Promise<string[]> {
  const wanted = request.logs ?? [];
  if (wanted.length === 0 || !(await isOurs(dir))) return [];
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
async function isOurs(dir: string): Promise<boolean> {
  for (const path of [".signalbox", LOGS]) {
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
