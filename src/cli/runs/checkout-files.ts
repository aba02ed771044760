import { selectGuardedPaths } from "../../core/checks/guard/guarded-path.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import type { JournaledCheckout, RunFile, RunFiles } from "../../core/ports/workspace.ts";
import type { World } from "../../core/ports/world.ts";
import { listUndoWrites } from "../../engine/drive/undo-writes.ts";
import { isCheckoutWrite } from "../../engine/replay/checkout-write.ts";
import { parseWritePath } from "./written-paths.ts";

/** Folders that runs use to pass knowledge to later runs. */
export const MEMORY_FOLDERS = [".signalbox/memory", ".signalbox/iterations"] as const;

type JournalInputs = { readonly host: Pick<Host, "journal" | "runs">; readonly world: Pick<World, "hash"> };

/**
 * Returns the files that a run wrote into its checkout, according to its journal. Other content of the run's ref is not
 * trusted. Settings, pipelines and agent instructions are never included, whoever wrote them.
 */
export async function collectCheckoutFiles({ host, world }: JournalInputs, run: string): Promise<RunFiles> {
  const records = await host.journal.load(run);
  const [started] = records;
  const known = await collectHashes(host, records);
  const undone = new Map(isCanceled(records) ? listUndoWrites(records).map(({ path, text }) => [path, text]) : []);
  const prints = new Map(records.flatMap((record) => readWrite(record)));
  const written = [...prints].filter(([path]) => isImportable(path));
  return {
    base: started?.type === "run.started" ? started.base.tree : "",
    known,
    written: written.map(
      ([path, print]): RunFile => ({
        path,
        isWritten: (text) =>
          undone.has(path) ? undone.get(path) === text : isCheckoutWrite(world, { run, path, text, print, known }),
      }),
    ),
  };
}

/** Reads from a run's journal which checkout it started with, and recognizes the texts it wrote there. */
export async function readJournaledCheckout({ host, world }: JournalInputs, run: string): Promise<JournaledCheckout> {
  const records = await host.journal.load(run);
  const [started] = records;
  const known = await collectHashes(host, records);
  const undone = new Map(listUndoWrites(records).map(({ path, text }) => [path, text]));
  const prints = new Map<string, string[]>();
  for (const [path, print] of records.flatMap(readWrite)) prints.set(path, [...(prints.get(path) ?? []), print]);
  return {
    start: started?.type === "run.started" ? started.checkout : undefined,
    isOwnText: (path, text) =>
      undone.get(path) === text ||
      (prints.get(path) ?? []).some((print) => isCheckoutWrite(world, { run, path, text, print, known })),
  };
}

/** A later write of the same path replaces an earlier one. */
const readWrite = (record: JournalRecord): readonly (readonly [string, string])[] =>
  record.type === "step.started" && record.verb === "write" ? [[parseWritePath(record.key), record.print]] : [];

const isCanceled = (records: readonly JournalRecord[]): boolean => {
  const end = records.at(-1);
  return end?.type === "run.finished" && end.status === "canceled";
};

function isImportable(path: string): boolean {
  const isMemory = MEMORY_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
  return isMemory ? !path.split("/").includes("..") : selectGuardedPaths([path], []).length === 0;
}

/** Collects the hashes of all files that the run read or wrote, including those of the runs it continues from. */
async function collectHashes(
  host: JournalInputs["host"],
  records: readonly JournalRecord[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const seen = new Set<string>();
  for (let now = records; ; ) {
    for (const hash of now.flatMap(readHash)) known.add(hash);
    const [started] = now;
    const from = started?.type === "run.started" ? started.from?.run : undefined;
    if (from === undefined || seen.has(from) || !(await host.runs.get(from))) return known;
    seen.add(from);
    now = await host.journal.load(from);
  }
}

function readHash(record: JournalRecord): readonly string[] {
  const value = record.type === "step.finished" ? record.value : undefined;
  const hash = typeof value === "object" && value !== null && "hash" in value ? value["hash"] : undefined;
  return typeof hash === "string" && SHA256.test(hash) ? [hash] : [];
}

const SHA256 = /^[0-9a-f]{64}$/;
