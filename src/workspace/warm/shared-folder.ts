import type { WorkFolder } from "../../core/ports/workspace.ts";
import type { AttemptNote } from "../attempt/attempt-note.ts";
import { ownedByNobody } from "../repository/git-process.ts";
import type { Store } from "../repository/store.ts";

/** A folder that several read in and nobody can write to; it stays for the next reader when the last has gone. */
export type Share = { readonly folder: Promise<WorkFolder>; readers: number; filled?: Promise<unknown> };

const READERS = "/readers/";

/** Begins with its run's id, as every name of a folder does. */
export function shareName(run: string, key: string): string {
  return `${run}${READERS}${key}`;
}

export function isShared({ name }: Pick<AttemptNote, "name">): boolean {
  return name.includes(READERS);
}

export async function openShared(store: Store, name: string, open: () => Promise<WorkFolder>): Promise<WorkFolder> {
  const share: Share = store.shares.get(name) ?? { folder: ownedByNobody(open), readers: 0 };
  store.shares.set(name, share);
  share.readers += 1;
  try {
    return readerOf(store, { name, share, folder: await share.folder });
  } catch (error) {
    store.shares.delete(name);
    throw error;
  }
}

type Reading = { readonly name: string; readonly share: Share; readonly folder: WorkFolder };

function readerOf(store: Store, { name, share, folder }: Reading): WorkFolder {
  let isIn = true;
  const goes = (): boolean => {
    if (!isIn) return false;
    isIn = false;
    share.readers -= 1;
    return true;
  };
  return {
    ...folder,
    fill: <T>(work: () => Promise<T>) => {
      // All who share it are of one key, and so of one kind of work. Where one came to nothing, the next does it.
      const filled = (share.filled?.catch(work) ?? work()) as Promise<T>;
      share.filled = filled;
      return filled;
    },
    close: async () => {
      if (goes()) await closeSurplus(store);
    },
    // From here on it is for whoever goes on with the run: nobody here comes to it any more.
    leave: async () => {
      if (!goes()) return;
      if (store.shares.get(name) === share) store.shares.delete(name);
      await folder.leave();
    },
  };
}

/** As many as wait for another reader. */
const MOST_WAITING = 2;

async function closeSurplus(store: Store): Promise<void> {
  const waiting = [...store.shares].filter(([, { readers }]) => readers === 0);
  for (const [name] of waiting.slice(0, Math.max(0, waiting.length - MOST_WAITING))) await closeShare(store, name);
}

/** Its folder serves others from here on. */
export async function closeShare(store: Store, name: string): Promise<boolean> {
  const share = store.shares.get(name);
  if (!share) return false;
  store.shares.delete(name);
  await (await share.folder).close();
  return true;
}

/** Makes the folder of one that nobody reads in at the moment free for a writer. */
export async function closeUnread(store: Store): Promise<boolean> {
  const unread = [...store.shares].find(([, { readers }]) => readers === 0);
  return unread !== undefined && (await closeShare(store, unread[0]));
}
