import { readFileSync } from "node:fs";
import { listCarriers } from "../tag/process-tag.ts";

/** Linux counts CPU time in hundredths of a second on all current machines. */
const TICK_MS = 10;

/** Returns the CPU time of all live processes with this cookie. */
export function measureBusyMs(cookie: string): number {
  return listCarriers(cookie).reduce((sum, pid) => sum + readTicks(pid) * TICK_MS, 0);
}

/** The time of the process and of its reaped children. */
function readTicks(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name before it may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}
