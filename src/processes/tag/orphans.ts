import type { World } from "../../core/ports/world.ts";
import { listProcessTags, sendSignal } from "./process-tag.ts";

/** Returns whether no engine waits for processes with this cookie. */
export type IsOrphan = (cookie: string) => Promise<boolean>;

/**
 * Ends the processes of engines that are gone; returns their number. Lists the processes before asking, so that those
 * of an engine that takes over meanwhile are not included.
 */
export async function sweepOrphans(isOrphan: IsOrphan, world: Pick<World, "sleep">): Promise<number> {
  const ended = new Set<number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = await listOrphans(isOrphan);
    if (found.length === 0) break;
    // Stops all processes before killing the first one: a parent that loses its child could otherwise record an exit.
    for (const pid of found) sendSignal(pid, "SIGSTOP");
    for (const pid of found) {
      ended.add(pid);
      sendSignal(pid, "SIGKILL");
    }
    await world.sleep(BETWEEN_LOOKS_MS);
  }
  return ended.size;
}

// The same time as for a sweep by cookie: processes that outlast it are stuck in the kernel.
const MOST_LOOKS = 400;
const BETWEEN_LOOKS_MS = 5;

async function listOrphans(isOrphan: IsOrphan): Promise<readonly number[]> {
  const carried = listProcessTags();
  const judged = new Map<string, boolean>();
  for (const cookie of new Set(carried.values())) judged.set(cookie, await isOrphan(cookie));
  return [...carried].flatMap(([pid, cookie]) => (judged.get(cookie) ? [pid] : []));
}
