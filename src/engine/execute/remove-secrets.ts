import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutorDeps } from "./executor.ts";

const STREAMS: ReadonlySet<string> = new Set(["stdin", "stdout", "stderr"]);

/**
 * Removes secrets from the input and output of a process after it has ended. Until then the process writes the file
 * itself, so that neither a slow reader nor our crash loses output.
 */
export async function removeSecrets({ scrub }: ExecutorDeps, spool: string): Promise<void> {
  if (!scrub) return;
  const entries = await readdir(spool, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isFile() && STREAMS.has(entry.name)) await scrub(join(entry.parentPath, entry.name));
  }
}
