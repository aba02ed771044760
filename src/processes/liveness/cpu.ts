import { readFileSync } from "node:fs";
import { carriers } from "../tag/process-tag.ts";

/** The kernel counts in hundredths of a second, on every machine that is still in use. */
const TICK_MS = 10;

/** How long everything with this cookie has kept a processor busy, as far as it is still alive. */
export function busyMs(cookie: string): number {
  return carriers(cookie).reduce((sum, pid) => sum + ticksOf(pid) * TICK_MS, 0);
}

/** Of the process and of the children that it has already collected. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may hold anything, spaces and brackets too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}
