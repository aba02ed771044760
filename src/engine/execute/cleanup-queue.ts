/** Work that no step waits for, because nothing depends on when it is done. */
export type CleanupQueue = {
  /** Adds work. A failure leaves files that `gc` finds, and is not reported. */
  add(work: () => Promise<unknown>): void;
  /** Resolves when all of it is done. */
  settled(): Promise<void>;
};

export function createCleanupQueue(): CleanupQueue {
  const open = new Set<Promise<unknown>>();
  return {
    add(work) {
      const chore = work()
        .catch(() => undefined)
        .finally(() => open.delete(chore));
      open.add(chore);
    },
    async settled() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}
