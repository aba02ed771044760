import type { JournalRecord } from "../../../core/journal/record.ts";
import type { RunRow } from "../../../core/ports/host.ts";
import { createRunEndedError, refuseEnded } from "../ended-run.ts";
import { foldRun } from "../fold-run.ts";
import type { RunStore } from "../run-store.ts";
import { awaitOutcome, createAlreadySentError, type RunMessage, requireRunningEngine } from "./await-outcome.ts";

/** Suspends a run. Running agents are terminated and dispatched again on resume. Returns the suspension record. */
export async function pauseRun(
  store: RunStore,
  row: RunRow,
  message: RunMessage,
): Promise<JournalRecord<"run.suspended">> {
  const { host, world } = store;
  await refuseEnded(store, row);
  await requireRunningEngine(
    store,
    row,
    `It is already suspended. Continue it with \`signalbox resume ${row.id}\`, or end it with \`signalbox cancel\`.`,
  );
  const after = (await foldRun(host, row.id)).head.seq;
  const earlier = await host.inbox.post(row.id, { kind: "pause", ...message });
  if (earlier) throw createAlreadySentError(`Run ${row.id}`, earlier, world.now());
  const matchEnd = (record: JournalRecord) =>
    record.type === "run.suspended" || record.type === "run.finished" ? record : undefined;
  const end = await awaitOutcome(store, row, { after, came: matchEnd });
  // The run ended before it read the message.
  if (end.type === "run.finished") throw createRunEndedError(end, world.now());
  return end;
}
