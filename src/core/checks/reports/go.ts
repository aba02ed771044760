import { z } from "zod";
import { collectTests, type NamedTest } from "./named-tests.ts";
import type { End, Reading } from "./tally.ts";

const Event = z.object({ Action: z.string(), Package: z.string(), Test: z.string().optional() });

const ENDS: ReadonlyMap<string, End> = new Map([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);

/** Reads `go test -json`, one event per line. A package event counts no test, but shows that there is a report. */
export function readGo(text: string): Reading | undefined {
  const events = text.split("\n").flatMap(parseGoEvent);
  return events.length > 0 ? collectTests(events.flatMap(testOf)) : undefined;
}

function testOf({ Action, Package, Test }: z.infer<typeof Event>): readonly NamedTest[] {
  const end = ENDS.get(Action);
  return Test === undefined || !end ? [] : [{ file: Package, path: Test.split("/"), end }];
}

function parseGoEvent(line: string): readonly z.infer<typeof Event>[] {
  if (!line.startsWith("{") || !line.includes('"Action"')) return [];
  try {
    const event = Event.safeParse(JSON.parse(line)).data;
    return event ? [event] : [];
  } catch {
    return [];
  }
}
