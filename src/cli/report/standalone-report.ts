import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { RunRow } from "../../core/ports/host.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { createTranscript } from "../../drivers/transcript.ts";
import type { Diff } from "../../surfaces/server/port/diff.ts";
import type { Transcript } from "../../surfaces/server/port/documents.ts";
import type { RunPage } from "../../views/page/page.ts";
import type { RunView } from "../../views/run-view.ts";
import { readTail, resolveSpool } from "../inspect/spool-text.ts";
import { type RunStore, toEvent } from "../runs/run-store.ts";
import { readRunDiff } from "../serve/diff-files.ts";
import type { LocatedRun } from "../serve/followed-runs.ts";

/** Size limits that keep the file small enough for a browser and for mail. */
const MAX_CHARS = { events: 8_000_000, transcripts: 8_000_000 } as const;
/** Limit for one text in a record. */
const MAX_TEXT_CHARS = 20_000;
const MAX_ENTRIES = 2_000;

/** Complete content of a report page that works without a server. */
export type StandaloneReport = {
  readonly page: RunPage;
  readonly events: readonly object[];
  /** Transcripts by the effect of the attempt. */
  readonly transcripts: Readonly<Record<string, Transcript>>;
  /** Absent if git no longer has the commits. */
  readonly diff?: Diff;
};

type RunSource = LocatedRun & { readonly view: RunView; readonly page: RunPage };

export async function buildStandaloneReport({ store, row, view, page }: RunSource): Promise<StandaloneReport> {
  const diff = await readRunDiff({ store, row }, view, {}).catch((error: unknown) => {
    if (!(error instanceof SignalboxError)) throw error;
  });
  const clean = redactDeep({ page, ...(diff ? { diff } : {}) }, store.world.redact);
  return { ...clean, events: await readRunEvents(store, row), transcripts: await readTranscripts(store, page) };
}

/** Returns events up to the size limit, dropping the oldest: the newest show how the run ended. */
async function readRunEvents({ host, world }: RunStore, { id }: RunRow): Promise<readonly object[]> {
  const events: { readonly event: object; readonly size: number }[] = [];
  let size = 0;
  for await (const records of readJournalPages(host.journal, id)) {
    for (const record of records) {
      const event = redactDeep(toEvent(record), (text) => cutText(world.redact(text)));
      const weight = JSON.stringify(event).length;
      events.push({ event, size: weight });
      size += weight;
    }
    while (size > MAX_CHARS.events) size -= events.shift()?.size ?? size;
  }
  return events.map(({ event }) => event);
}

function cutText(text: string): string {
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}… (${text.length} characters)` : text;
}

/** Returns the end of each attempt's output, latest attempts first, up to the size limit. */
async function readTranscripts(store: RunStore, { head, rows }: RunPage): Promise<StandaloneReport["transcripts"]> {
  const attempts = rows.flatMap((row) => (row.kind === "dispatch" ? row.attempts : [])).toReversed();
  const found: Record<string, Transcript> = {};
  let room: number = MAX_CHARS.transcripts;
  for (const { effect } of attempts) {
    const text = await readTranscript(store, { run: head.run, effect });
    room -= text?.entries.reduce((sum, entry) => sum + entry.text.length, 0) ?? 0;
    if (room < 0) break;
    if (text) found[effect] = text;
  }
  return found;
}

async function readTranscript(
  store: RunStore,
  attempt: { readonly run: string; readonly effect: string },
): Promise<Transcript | undefined> {
  const file = join(resolveSpool(store, attempt), "stdout");
  const tail = await readTail({ file, most: Number.POSITIVE_INFINITY, redact: store.world.redact });
  if (!tail) return undefined;
  const transcript = createTranscript({ begun: tail.cut });
  const all = tail.lines.flatMap((line) => transcript.entries(line));
  const entries = all.slice(-MAX_ENTRIES).map(({ kind, text }) => ({ kind, text: cutText(text) }));
  return { entries, next: tail.size, complete: !tail.cut && all.length <= MAX_ENTRIES };
}
