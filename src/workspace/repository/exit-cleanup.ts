const cleanups = new Set<() => void>();

/** Registers a cleanup that runs however this process exits; returns a function that unregisters it. */
export function registerCleanup(tidy: () => void): () => void {
  if (cleanups.size === 0) process.on("exit", runCleanups);
  cleanups.add(tidy);
  return () => {
    cleanups.delete(tidy);
    if (cleanups.size === 0) process.off("exit", runCleanups);
  };
}

/** Newest first: a program is ended before the folder created for it is removed. */
function runCleanups(): void {
  for (const tidy of [...cleanups].reverse()) tidy();
}
