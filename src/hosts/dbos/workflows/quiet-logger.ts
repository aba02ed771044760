import { tellsOfLoss } from "../tables/failure.ts";

const AWAY = "Postgres is away; waiting for it.";
const AGAIN_MS = 60_000;
const REMEMBERED = 100;

/** What DBOS complains about, each once a minute; of a server that is away it complains with every poll, in many words. */
export function quietLogger(log: (line: string) => void) {
  const said = new Map<string, number>();
  const say = (entry: unknown) => {
    const line = entry instanceof Error ? entry.message : String(entry);
    const text = tellsOfLoss(line) ? AWAY : line;
    const now = performance.now();
    if (now - (said.get(text) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (said.size >= REMEMBERED) said.clear();
    said.set(text, now);
    log(text);
  };
  const nothing = () => undefined;
  return { info: nothing, debug: nothing, warn: say, error: say };
}
