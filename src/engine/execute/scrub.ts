import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutorParts } from "./executor.ts";

const STREAMS: ReadonlySet<string> = new Set(["stdin", "stdout", "stderr"]);

/**
 * Takes secrets out of what a process was given and has printed. Only when it has ended: until then its output goes to
 * a file that it writes itself, so that neither a slow reader nor our death costs any of it.
 */
export async function scrubSpool({ scrub }: ExecutorParts, spool: string): Promise<void> {
  if (!scrub) return;
  const entries = await readdir(spool, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isFile() && STREAMS.has(entry.name)) await scrub(join(entry.parentPath, entry.name));
  }
}
