import type { World } from "../../core/ports/world.ts";
import { kill, processTags } from "./process-tag.ts";

/** Whether nobody is left who would wait for what carries this cookie. */
export type IsOrphan = (cookie: string) => Promise<boolean>;

/**
 * Ends what engines that are gone have left behind; how many processes there were. The processes are listed before
 * the question is asked: what an engine starts that takes over meanwhile is not among them.
 */
export async function sweepOrphans(isOrphan: IsOrphan, world: Pick<World, "sleep">): Promise<number> {
  const ended = new Set<number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = await orphans(isOrphan);
    if (found.length === 0) break;
    // All stand still before the first one dies: one that lost its child might still tell of an end of its own.
    for (const pid of found) kill(pid, "SIGSTOP");
    for (const pid of found) {
      ended.add(pid);
      kill(pid, "SIGKILL");
    }
    await world.sleep(BETWEEN_LOOKS_MS);
  }
  return ended.size;
}

// As long as a sweep by cookie: only what is stuck in the kernel outlasts it.
const MOST_LOOKS = 400;
const BETWEEN_LOOKS_MS = 5;

async function orphans(isOrphan: IsOrphan): Promise<readonly number[]> {
  const carried = processTags();
  const judged = new Map<string, boolean>();
  for (const cookie of new Set(carried.values())) judged.set(cookie, await isOrphan(cookie));
  return [...carried].flatMap(([pid, cookie]) => (judged.get(cookie) ? [pid] : []));
}
