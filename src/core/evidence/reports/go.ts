import { z } from "zod";
import type { Tally } from "./tally.ts";

const Event = z.object({ Action: z.string(), Package: z.string(), Test: z.string().optional() });

const WORDS: ReadonlyMap<string, keyof Tally> = new Map([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);

/** `go test -json`: one event a line. A package's own event counts no test, but shows that there is a report. */
export function readGo(text: string): Tally | undefined {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const events = text.split("\n").flatMap(eventOf);
  for (const event of events) {
    const word = event.Test === undefined ? undefined : WORDS.get(event.Action);
    if (word) tally[word] += 1;
  }
  return events.length > 0 ? tally : undefined;
}

function eventOf(line: string): readonly z.infer<typeof Event>[] {
  if (!line.startsWith("{") || !line.includes('"Action"')) return [];
  try {
    const event = Event.safeParse(JSON.parse(line)).data;
    return event ? [event] : [];
  } catch {
    return [];
  }
}
