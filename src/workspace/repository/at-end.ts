const left = new Set<() => void>();

/** What must not outlive this process, however it leaves; gives back how to take it off the list. */
export function atEnd(tidy: () => void): () => void {
  if (left.size === 0) process.on("exit", tidyAll);
  left.add(tidy);
  return () => {
    left.delete(tidy);
    if (left.size === 0) process.off("exit", tidyAll);
  };
}

/** The newest first: a program is ended before the folder goes that was made for it. */
function tidyAll(): void {
  for (const tidy of [...left].reverse()) tidy();
}
