import { readFileSync } from "node:fs";
import { listCarriers } from "../../src/processes/tag/process-tag.ts";

const LOOK_MS = 100;

/** Peak memory in megabytes of our own programs between the engine and an agent; 0 if there are none. */
export function watchClients(cookie: string): { stop(): number } {
  const peaks = new Map<number, number>();
  const look = () => {
    for (const pid of listCarriers(cookie)) {
      const peak = readPeak(pid);
      if (peak !== undefined) peaks.set(pid, peak);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(0, ...peaks.values());
    },
  };
}

function readPeak(pid: number): number | undefined {
  try {
    if (!/client\.ts\0/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))) return undefined;
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Math.round((Number(kilobytes) * 1024) / 1_000_000);
  } catch {
    return undefined;
  }
}
