import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Effect } from "../../core/journal/effect.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";
import { hashEffectName, resolveEffectSpool } from "./attempt/prepare-attempt.ts";
import type { ExecutorDeps } from "./executor.ts";

/** One start of an effect that is safe to repeat. */
export type NumberedStart = {
  /** The mark of its processes, unique to this start. */
  readonly id: string;
  /** The name of its folders. */
  readonly name: string;
  readonly spool: string;
};

/**
 * Creates a numbered start of an effect. An engine that was only paused and the one that took over may both run the
 * same effect, so processes and folders are owned by the start and not by the effect. Starts are ordered by claim, then
 * by number: a later start ends what earlier ones left, and an engine that wakes up affects nothing of its successor.
 */
export async function createStart(parts: ExecutorDeps, effect: Effect): Promise<NumberedStart> {
  const folder = resolveEffectSpool(parts, effect);
  const own = await claimRank(folder, effect.fence ?? 0);
  for (const earlier of (await listStarts(folder)).filter((each) => isBefore(each, own))) {
    await endRemains(parts, join(folder, formatRank(earlier)));
  }
  const id = `${effect.id}~${formatRank(own)}`;
  return { id, name: hashEffectName(parts.world, { id, run: effect.run }), spool: join(folder, formatRank(own)) };
}

type StartRank = { readonly fence: number; readonly n: number };

const formatRank = ({ fence, n }: StartRank): string => `${fence}.${n}`;

async function claimRank(folder: string, fence: number): Promise<StartRank> {
  makeOwnFolder(folder);
  for (let n = 1; ; n += 1) {
    try {
      await mkdir(join(folder, formatRank({ fence, n })), { mode: 0o700 });
      return { fence, n };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/** Returns the spool of the newest start of an effect, given the folder of its starts. */
export async function findNewestStart(folder: string): Promise<string | undefined> {
  const newest = (await listStarts(folder)).at(-1);
  return newest && join(folder, formatRank(newest));
}

/** Lists the starts in order. */
async function listStarts(folder: string): Promise<readonly StartRank[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((name) => {
    const [, fence, n] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
    return fence === undefined ? [] : [{ fence: Number(fence), n: Number(n) }];
  });
  return found.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function isBefore(one: StartRank, other: StartRank): boolean {
  return one.fence < other.fence || (one.fence === other.fence && one.n < other.n);
}

/** Ends processes that an earlier start left; each command has a folder of its own. */
async function endRemains({ processes }: ExecutorDeps, spool: string): Promise<void> {
  for (const command of await readdir(spool).catch(() => [])) await processes.remains(join(spool, command));
}
