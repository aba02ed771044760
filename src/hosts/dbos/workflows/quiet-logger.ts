import { isConnectionLossText } from "../tables/failure.ts";

const AGAIN_MS = 60_000;
const REMEMBERED = 100;

/** Logs each problem that DBOS reports at most once a minute. Skips connection losses, which our own queries report. */
export function createQuietLogger(log: (line: string) => void) {
  const loggedAt = new Map<string, number>();
  const logOnce = (entry: unknown) => {
    const line = entry instanceof Error ? entry.message : String(entry);
    if (isConnectionLossText(line)) return;
    const now = performance.now();
    if (now - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (loggedAt.size >= REMEMBERED) loggedAt.clear();
    loggedAt.set(line, now);
    log(line);
  };
  const ignoreEntry = () => undefined;
  return { info: ignoreEntry, debug: ignoreEntry, warn: logOnce, error: logOnce };
}
