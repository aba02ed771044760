import { SignalboxError } from "../../../core/failure/errors.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { EarlierAnswer, RunRow } from "../../../core/ports/host.ts";
import { oneLine } from "../../../surfaces/terminal/clean-text.ts";
import { timeOfDay } from "../../../surfaces/terminal/duration.ts";
import { queuedText } from "../../team/offers/shortage.ts";
import { isOwned, type RunStore } from "../run-store.ts";

/** Who says something to a run, and why. */
export type Word = { readonly by: string; readonly note?: string };

const PATIENCE_MS = 30_000;

/** Until the engine has recorded what a word came to. */
export async function followWord<T>(
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
    `The engine ${row.owner} has not done it to the run ${row.id} within ${PATIENCE_MS / 1000} s.`,
    "The word is posted and will be read; look again with `signalbox status`, or stop that engine.",
  );
}

/** Only an engine at work reads such a word; one that is said to nobody would be heard by whoever comes next. */
export async function requireEngine(store: RunStore, row: RunRow, hint: string): Promise<void> {
  if (isOwned(store, row)) return;
  const queued = store.team && (await queuedText(store.team, row.id, store.world.now()));
  if (queued !== undefined) throw notTaken(row.id, queued);
  const why = row.status === "running" ? "its engine is gone" : `it is ${row.status}`;
  throw new SignalboxError("RUN_AT_REST", `Nobody works on the run ${row.id}: ${why}.`, hint);
}

/** It does not rest: a word that nobody reads now would meet whoever takes it. */
function notTaken(run: string, queued: string): SignalboxError {
  return new SignalboxError(
    "RUN_AT_REST",
    `No worker has the run ${run} at this moment: ${queued}.`,
    `It goes on as soon as one takes it: say it then, or end the run with \`signalbox cancel ${run}\`.`,
  );
}

export function toldAlready(what: string, { choice, by, at }: EarlierAnswer, now: number): SignalboxError {
  return new SignalboxError(
    "TOO_LATE",
    `${what} was told already: ${oneLine(choice)} by ${oneLine(by)} at ${timeOfDay(at, now)}.`,
    "That word counts and yours was not taken. See what becomes of it with `signalbox status`.",
  );
}
