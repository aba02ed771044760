import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Host } from "../../../core/ports/host.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import type { World } from "../../../core/ports/world.ts";
import { replaceFile } from "../../../workspace/repository/replace-file.ts";
import type { RepositoryPlaces } from "../../project/repository.ts";
import { requireAnchoredRecord } from "../../runs/anchors/outdated-journal.ts";

/** Ends that workers of this clone were about to record and have not anchored yet. */
export type PendingEnds = {
  note(end: PendingEnd): Promise<void>;
  all(): Promise<readonly PendingEnd[]>;
  /** Removes the note once the end is anchored or turned out not to be recorded. */
  forget(run: string): Promise<void>;
};

/** Opens the notes of a clone. */
export const openPendingEnds = ({ own }: Pick<RepositoryPlaces, "own">): PendingEnds =>
  createPendingEnds(join(own, "team", "ends"));

type PendingEnd = { readonly run: string; readonly chain: string };

/**
 * Stores notes in local files. Whoever can write an end into the database cannot write these files, so an end is
 * anchored later only in the clone whose worker recorded it.
 */
export function createPendingEnds(folder: string): PendingEnds {
  const file = (run: string): string => join(folder, run);
  const forget = (run: string): Promise<void> => rm(file(run), { force: true });
  return {
    forget,
    async note({ run, chain }) {
      await mkdir(folder, { recursive: true });
      await replaceFile({ top: folder, path: run, text: chain });
    },
    async all() {
      const runs = await readdir(folder).catch(() => []);
      const read = async (run: string) => ({ run, chain: await readFile(file(run), "utf8").catch(() => "") });
      return (await Promise.all(runs.map(read))).filter(({ chain }) => chain !== "");
    },
  };
}

/** Notes an end before it is stored, so that a later worker of this clone finds it wherever this one is killed. */
export function notePendingEnds<H extends Pick<Host, "journal">>(host: H, ends: Pick<PendingEnds, "note">): H {
  const { journal } = host;
  return {
    ...host,
    journal: {
      ...journal,
      async append(lease, records) {
        const end = records.find(({ type }) => type === "run.finished");
        if (end) await ends.note({ run: lease.run, chain: `${end.seq}:${end.chain}` });
        await journal.append(lease, records);
      },
    },
  };
}

type EndInputs = {
  readonly ends: PendingEnds;
  readonly host: Pick<Host, "journal" | "runs">;
  readonly workspace: Pick<Workspace, "anchor">;
  readonly log: (line: string) => void;
};
type AnchorInputs = EndInputs & { readonly world: Pick<World, "sleep"> };

const AGAIN_MS = 5_000;

/** Anchors the ends that an earlier worker of this clone left behind. */
export async function anchorPendingEnds(parts: AnchorInputs, signal: AbortSignal): Promise<void> {
  for (const end of await parts.ends.all()) await anchorWithRetry(parts, end, signal);
}

/** Retries until the remote has the anchor or the journal turns out to differ. */
async function anchorWithRetry(parts: AnchorInputs, end: PendingEnd, signal: AbortSignal): Promise<void> {
  for (let tried = 1; !signal.aborted; tried += 1) {
    try {
      return await anchorEnd(parts, end);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (tried === 1) parts.log(`cannot anchor the end of ${end.run} left by an earlier worker of this clone: ${why}`);
      if (!(error instanceof SignalboxError && MAY_PASS.test(error.code))) return;
      await parts.world.sleep(AGAIN_MS, signal).catch(() => undefined);
    }
  }
}

const MAY_PASS = /^(REMOTE_|DATABASE_UNREACHABLE$)/;

/** Anchors a noted end. A note for another database that this clone has worked for is left to a worker of that one. */
export async function anchorEnd({ ends, host, workspace, log }: EndInputs, { run, chain }: PendingEnd): Promise<void> {
  if (!(await host.runs.get(run))) return;
  // The worker was killed before the end was stored; the run continues or has ended elsewhere.
  if (!(await isStored(host, run, chain))) return ends.forget(run);
  await workspace.anchor({ run, chain, requireHeld: (earlier) => requireAnchoredRecord(host, run, earlier) });
  await ends.forget(run);
  log(`anchored the end of ${run} left by an earlier worker of this clone`);
}

async function isStored({ journal }: Pick<Host, "journal">, run: string, chain: string): Promise<boolean> {
  const after = (Number.parseInt(chain, 10) || 1) - 1;
  const [record] = await journal.page(run, { after, most: 1 });
  return record !== undefined && `${record.seq}:${record.chain}` === chain;
}
