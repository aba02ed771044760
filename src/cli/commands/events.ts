import { SignalboxError } from "../../core/failure/errors.ts";
import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Call } from "../call.ts";
import { createPageFeed } from "../live/page-feed.ts";
import { openRunDisplay } from "../live/run-display.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";
import { readStartFlags } from "../runs/start-flags.ts";
import { createRunPrinter } from "../start/run-printer.ts";

export type EventFlags = { readonly follow?: boolean; readonly after?: string };

export async function printEvents(call: Call, runRef: string | undefined, flags: EventFlags): Promise<number> {
  const after = parseSequence(flags.after ?? "0");
  return withRunStore(call, async (store) => {
    const { host, places } = store;
    const { id } = await findRun(host, places.top, runRef);
    const printer = createRunPrinter(call, await readStartFlags(places, id));
    const feed = call.live && flags.follow ? createPageFeed(store, id) : undefined;
    const last = await printPastRecords(host, id, (record) => {
      feed?.take(record);
      if (record.seq > after) printer.tell(record);
      else printer.recall(record);
    });
    if (!flags.follow || last?.type === "run.finished") return 0;
    const left = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => left.abort());
    process.stdout.once("error", () => left.abort());
    const shown = feed && openRunDisplay(call, { store, run: id, feed, leaving: "leaves" });
    try {
      for await (const record of host.journal.follow(id, printer.seq(), left.signal)) {
        printer.tell(record);
        shown?.heard(record);
        if (record.type === "run.finished") break;
      }
    } finally {
      shown?.close();
    }
    return 0;
  });
}

/** Prints past records page by page, so output starts at once and memory use stays bounded. */
async function printPastRecords({ journal }: Host, run: string, tell: (record: JournalRecord) => void) {
  let last: JournalRecord | undefined;
  for await (const records of readJournalPages(journal, run)) {
    for (const record of records) tell(record);
    last = records.at(-1);
  }
  return last;
}

function parseSequence(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new SignalboxError(
    "USAGE",
    `--after ${text} is not a sequence number.`,
    "Use the `seq` of the last event you have.",
  );
}
