import type { JournalRecord } from "../../../core/journal/record.ts";
import type { RunRow } from "../../../core/ports/host.ts";
import { refuseEnded, runEnded } from "../ended-run.ts";
import { foldRun } from "../fold-run.ts";
import type { RunStore } from "../run-store.ts";
import { followWord, requireEngine, toldAlready, type Word } from "./follow-word.ts";

/** Rests a run: agents at work are put down, and asked again when it is resumed. Gives back how it rests. */
export async function pauseRun(store: RunStore, row: RunRow, word: Word): Promise<JournalRecord<"run.suspended">> {
  const { host, world } = store;
  await refuseEnded(store, row);
  await requireEngine(
    store,
    row,
    `It rests already. \`signalbox resume ${row.id}\` goes on, \`signalbox cancel\` ends it.`,
  );
  const after = (await foldRun(host, row.id)).head.seq;
  const earlier = await host.inbox.post(row.id, { kind: "pause", ...word });
  if (earlier) throw toldAlready(`The run ${row.id}`, earlier, world.now());
  const came = (record: JournalRecord) =>
    record.type === "run.suspended" || record.type === "run.finished" ? record : undefined;
  const end = await followWord(store, row, { after, came });
  // It was at its end before it read the word.
  if (end.type === "run.finished") throw runEnded(end, world.now());
  return end;
}
