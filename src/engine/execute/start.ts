import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Effect } from "../../core/journal/effect.ts";
import { makeOwnFolder } from "../../node/own-folder.ts";
import { effectName, spoolOf } from "./attempt/prepare-attempt.ts";
import type { ExecutorParts } from "./executor.ts";

/** One start of an effect that may be done again. */
export type Start = {
  /** The mark of its processes, and of no other start's. */
  readonly id: string;
  /** Of its folders. */
  readonly name: string;
  readonly spool: string;
};

/**
 * An engine that was only paused and the one that took over have begun the same effect. So whatever is ended, removed
 * or tidied goes by the start and never by the effect. Starts are numbered, first by the claim that they were begun
 * under: one that comes later ends what those before it have left, and an engine that wakes reaches nothing of its heir.
 */
export async function newStart(parts: ExecutorParts, effect: Effect): Promise<Start> {
  const folder = spoolOf(parts, effect);
  const own = await numbered(folder, effect.fence ?? 0);
  for (const earlier of (await startsIn(folder)).filter((each) => isBefore(each, own))) {
    await endLeft(parts, join(folder, nameOf(earlier)));
  }
  const id = `${effect.id}~${nameOf(own)}`;
  return { id, name: effectName(parts.world, { id, run: effect.run }), spool: join(folder, nameOf(own)) };
}

type Rank = { readonly fence: number; readonly n: number };

const nameOf = ({ fence, n }: Rank): string => `${fence}.${n}`;

async function numbered(folder: string, fence: number): Promise<Rank> {
  makeOwnFolder(folder);
  for (let n = 1; ; n += 1) {
    try {
      await mkdir(join(folder, nameOf({ fence, n })), { mode: 0o700 });
      return { fence, n };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/** The spool of the newest start of an effect, by the folder that its starts have in common. */
export async function newestStart(folder: string): Promise<string | undefined> {
  const newest = (await startsIn(folder)).at(-1);
  return newest && join(folder, nameOf(newest));
}

/** In their order. */
async function startsIn(folder: string): Promise<readonly Rank[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((name) => {
    const [, fence, n] = /^(\d+)\.(\d+)$/.exec(name) ?? [];
    return fence === undefined ? [] : [{ fence: Number(fence), n: Number(n) }];
  });
  return found.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function isBefore(one: Rank, other: Rank): boolean {
  return one.fence < other.fence || (one.fence === other.fence && one.n < other.n);
}

/** Each command of it has a folder of its own; what has ended leaves nothing to end. */
async function endLeft({ processes }: ExecutorParts, spool: string): Promise<void> {
  for (const command of await readdir(spool).catch(() => [])) await processes.remains(join(spool, command));
}
