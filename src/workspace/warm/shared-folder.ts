import type { WorkFolder } from "../../core/ports/workspace.ts";
import type { AttemptNote } from "../attempt/attempt-note.ts";
import { runUnowned } from "../repository/git-process.ts";
import type { GitStore } from "../repository/git-store.ts";

/** A folder that several read-only agents share; it is kept for the next reader after the last one has left. */
export type FolderShare = { readonly folder: Promise<WorkFolder>; readers: number; filled?: Promise<unknown> };

const READERS = "/readers/";

/** Starts with the run's id, like every folder name. */
export function formatShareName(run: string, key: string): string {
  return `${run}${READERS}${key}`;
}

export function isSharedFolder({ name }: Pick<AttemptNote, "name">): boolean {
  return name.includes(READERS);
}

export async function openSharedFolder(
  store: GitStore,
  name: string,
  open: () => Promise<WorkFolder>,
): Promise<WorkFolder> {
  const share: FolderShare = store.shares.get(name) ?? { folder: runUnowned(open), readers: 0 };
  store.shares.set(name, share);
  share.readers += 1;
  try {
    return createFolderReader(store, { name, share, folder: await share.folder });
  } catch (error) {
    store.shares.delete(name);
    throw error;
  }
}

type FolderReading = { readonly name: string; readonly share: FolderShare; readonly folder: WorkFolder };

function createFolderReader(store: GitStore, { name, share, folder }: FolderReading): WorkFolder {
  let isIn = true;
  const leaveShare = (): boolean => {
    if (!isIn) return false;
    isIn = false;
    share.readers -= 1;
    return true;
  };
  return {
    ...folder,
    fill: <T>(work: () => Promise<T>) => {
      // All readers have the same key and so the same kind of work. After a failure the next one repeats it.
      const filled = (share.filled?.catch(work) ?? work()) as Promise<T>;
      share.filled = filled;
      return filled;
    },
    close: async () => {
      if (leaveShare()) await closeSurplusShares(store);
    },
    // Leaves the folder for the next owner of the run; this process no longer uses it.
    leave: async () => {
      if (!leaveShare()) return;
      if (store.shares.get(name) === share) store.shares.delete(name);
      await folder.leave();
    },
  };
}

/** Maximum number of folders waiting for a reader. */
const MOST_WAITING = 2;

async function closeSurplusShares(store: GitStore): Promise<void> {
  const waiting = [...store.shares].filter(([, { readers }]) => readers === 0);
  for (const [name] of waiting.slice(0, Math.max(0, waiting.length - MOST_WAITING))) await closeShare(store, name);
}

/** Releases the folder for reuse. */
export async function closeShare(store: GitStore, name: string): Promise<boolean> {
  const share = store.shares.get(name);
  if (!share) return false;
  store.shares.delete(name);
  await (await share.folder).close();
  return true;
}

/** Closes a share without readers, so that a writer can use its folder. */
export async function closeUnreadShare(store: GitStore): Promise<boolean> {
  const unread = [...store.shares].find(([, { readers }]) => readers === 0);
  return unread !== undefined && (await closeShare(store, unread[0]));
}
