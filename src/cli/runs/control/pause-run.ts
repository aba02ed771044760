import type { JournalRecord } from "../../../core/journal/record.ts";
import type { RunRow } from "../../../core/ports/host.ts";
import { refuseEnded, runEnded } from "../ended-run.ts";
import { foldRun } from "../fold-run.ts";
import type { RunStore } from "../run-store.ts";
import { followWord, requireEngine, toldAlready, type Word } from "./follow-word.ts";

/** Suspends a run. Running agents are terminated and dispatched again on resume. Returns the suspension record. */
export async function pauseRun(store: RunStore, row: RunRow, message: Word): Promise<JournalRecord<"run.suspended">> {
  const { host, world } = store;
  await refuseEnded(store, row);
  await requireEngine(
    store,
    row,
    `It is already suspended. Continue it with \`signalbox resume ${row.id}\`, or end it with \`signalbox cancel\`.`,
  );
  const after = (await foldRun(host, row.id)).head.seq;
  const earlier = await host.inbox.post(row.id, { kind: "pause", ...message });
  if (earlier) throw toldAlready(`Run ${row.id}`, earlier, world.now());
  const matchEnd = (record: JournalRecord) =>
    record.type === "run.suspended" || record.type === "run.finished" ? record : undefined;
  const end = await followWord(store, row, { after, came: matchEnd });
  // The run ended before it read the message.
  if (end.type === "run.finished") throw runEnded(end, world.now());
  return end;
}
