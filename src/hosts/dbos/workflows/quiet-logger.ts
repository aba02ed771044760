import { tellsOfLoss } from "../tables/failure.ts";

const AGAIN_MS = 60_000;
const REMEMBERED = 100;

/** What DBOS complains about, each once a minute. Of a server that is away nothing: our own questions meet the same outage. */
export function quietLogger(log: (line: string) => void) {
  const said = new Map<string, number>();
  const say = (entry: unknown) => {
    const line = entry instanceof Error ? entry.message : String(entry);
    if (tellsOfLoss(line)) return;
    const now = performance.now();
    if (now - (said.get(line) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (said.size >= REMEMBERED) said.clear();
    said.set(line, now);
    log(line);
  };
  const nothing = () => undefined;
  return { info: nothing, debug: nothing, warn: say, error: say };
}
