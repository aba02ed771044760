import { type FSWatcher, watch } from "node:fs";

/** Tells that files in a folder may have grown: by the system's notice where there is one, by looking otherwise. */
export type Growth = {
  /** The next time that something may have changed; resolves at once after `close`. */
  next(): Promise<void>;
  readonly closed: boolean;
  close(): void;
};

export function watchGrowth(folder: string): Growth {
  let closed = false;
  let waiting = Promise.withResolvers<void>();
  const tell = () => {
    waiting.resolve();
    if (!closed) waiting = Promise.withResolvers<void>();
  };
  const watcher = watcherOn(folder, tell);
  const look = setInterval(tell, LOOK_MS);
  return {
    next: () => waiting.promise,
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      clearInterval(look);
      watcher?.close();
      tell();
    },
  };
}

const LOOK_MS = 200;

/** Watches are a limited resource of the machine: without one the looks alone must do. */
function watcherOn(folder: string, tell: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, tell);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
