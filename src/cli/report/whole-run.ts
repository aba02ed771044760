import { join } from "node:path";
import { pagesOf } from "../../core/journal/journal-pages.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { createTranscript } from "../../drivers/transcript.ts";
import type { RunPage } from "../../views/page/page.ts";
import { spoolOf, tailOf } from "../inspect/spool-text.ts";
import { eventOf, type RunStore } from "../runs/run-store.ts";

/** What a file that travels may weigh: a browser opens it, and somebody mails it. */
const MOST_CHARS = { events: 8_000_000, transcripts: 8_000_000 } as const;
/** Of one text in a record. */
const MOST_OF_ONE = 20_000;
const MOST_LINES = 2_000;

type Entry = { readonly kind: "message" | "tool" | "raw"; readonly text: string };
type AttemptText = { readonly entries: readonly Entry[]; readonly next: number; readonly complete: boolean };

/** All that a page shows that can ask nobody. */
export type WholeRun = {
  readonly page: RunPage;
  readonly events: readonly object[];
  /** By the attempt's effect. */
  readonly transcripts: Readonly<Record<string, AttemptText>>;
};

export async function wholeRun(store: RunStore, row: RunRow, page: RunPage): Promise<WholeRun> {
  const clean = redactDeep(page, store.world.redact);
  return { page: clean, events: await eventsOf(store, row), transcripts: await transcriptsOf(store, page) };
}

/** The newest ones, where not all can go along: they tell how it ended. */
async function eventsOf({ host, world }: RunStore, { id }: RunRow): Promise<readonly object[]> {
  const events: { readonly event: object; readonly size: number }[] = [];
  let size = 0;
  for await (const records of pagesOf(host.journal, id)) {
    for (const record of records) {
      const event = redactDeep(eventOf(record), (text) => cut(world.redact(text)));
      const weight = JSON.stringify(event).length;
      events.push({ event, size: weight });
      size += weight;
    }
    while (size > MOST_CHARS.events) size -= events.shift()?.size ?? size;
  }
  return events.map(({ event }) => event);
}

function cut(text: string): string {
  return text.length > MOST_OF_ONE ? `${text.slice(0, MOST_OF_ONE)}… (${text.length} characters)` : text;
}

/** The end of what each attempt printed, the latest first as long as there is room. */
async function transcriptsOf(store: RunStore, { head, rows }: RunPage): Promise<WholeRun["transcripts"]> {
  const attempts = rows.flatMap((row) => (row.kind === "dispatch" ? row.attempts : [])).toReversed();
  const found: Record<string, AttemptText> = {};
  let room: number = MOST_CHARS.transcripts;
  for (const { effect } of attempts) {
    const text = await transcriptOf(store, { run: head.run, effect });
    room -= text?.entries.reduce((sum, entry) => sum + entry.text.length, 0) ?? 0;
    if (room < 0) break;
    if (text) found[effect] = text;
  }
  return found;
}

async function transcriptOf(
  store: RunStore,
  attempt: { readonly run: string; readonly effect: string },
): Promise<AttemptText | undefined> {
  const file = join(spoolOf(store, attempt), "stdout");
  const tail = await tailOf({ file, most: Number.POSITIVE_INFINITY, redact: store.world.redact });
  if (!tail) return undefined;
  const transcript = createTranscript({ begun: tail.cut });
  const lines = tail.lines.flatMap((line) => transcript.lines(line)).map(cut);
  const entries = lines.slice(-MOST_LINES).map((text) => ({ kind: kindOf(text), text }));
  return { entries, next: tail.size, complete: !tail.cut && lines.length <= MOST_LINES };
}

/** As `logs` marks what a tool did. */
const kindOf = (text: string): Entry["kind"] => (text.startsWith("· ") ? "tool" : "message");
