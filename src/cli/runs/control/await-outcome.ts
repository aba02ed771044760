import { SignalboxError } from "../../../core/failure/errors.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { EarlierAnswer, RunRow } from "../../../core/ports/host.ts";
import { toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import { formatTime } from "../../../surfaces/terminal/duration.ts";
import { describeQueue } from "../../team/offers/shortage.ts";
import { isOwned, type RunStore } from "../run-store.ts";

/** The author and note of a message to a run. */
export type RunMessage = { readonly by: string; readonly note?: string };

const PATIENCE_MS = 30_000;

/** Waits until the engine has recorded the outcome of a message. */
export async function awaitOutcome<T>(
  { host }: RunStore,
  row: RunRow,
  { after, came }: { readonly after: number; readonly came: (record: JournalRecord) => T | undefined },
): Promise<T> {
  for await (const record of host.journal.follow(row.id, after, AbortSignal.timeout(PATIENCE_MS))) {
    const found = came(record);
    if (found !== undefined) return found;
  }
  throw new SignalboxError(
    "RUN_OWNED",
    `Engine ${row.owner} did not react to the message for run ${row.id} within ${PATIENCE_MS / 1000} s.`,
    "The message is posted and will be read. Check with `signalbox status`, or stop that engine.",
  );
}

/** Requires a running engine. A message sent without one would reach whichever engine starts next. */
export async function requireRunningEngine(store: RunStore, row: RunRow, hint: string): Promise<void> {
  if (isOwned(store, row)) return;
  const queued = store.team && (await describeQueue(store.team, row.id, store.world.now()));
  if (queued !== undefined) throw createNotTakenError(row.id, queued);
  const why = row.status === "running" ? "its engine is gone" : `it is ${row.status}`;
  throw new SignalboxError("RUN_AT_REST", `Run ${row.id} has no running engine: ${why}.`, hint);
}

/** The run is queued, not suspended; the next worker would receive the message. */
function createNotTakenError(run: string, queued: string): SignalboxError {
  return new SignalboxError(
    "RUN_AT_REST",
    `No worker has taken run ${run} yet: ${queued}.`,
    `It continues when a worker takes it: repeat the command then, or cancel the run with \`signalbox cancel ${run}\`.`,
  );
}

export function createAlreadySentError(what: string, { choice, by, at }: EarlierAnswer, now: number): SignalboxError {
  return new SignalboxError(
    "TOO_LATE",
    `${what} already has a message: ${toOneLine(choice)} by ${toOneLine(by)} at ${formatTime(at, now)}.`,
    "The earlier message counts and yours was dropped. See `signalbox status`.",
  );
}
