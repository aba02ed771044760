import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { formatTimeWithSeconds } from "../../surfaces/terminal/duration.ts";

type FollowInputs = {
  readonly journal: Pick<Host["journal"], "follow">;
  readonly world: Pick<World, "now" | "sleep">;
  readonly run: string;
  readonly after: number;
  readonly signal: AbortSignal;
  /** Called once per outage. */
  away(): void;
};

/** Matches the time that workers wait before they give up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
/** A stream that stayed open this long counts as connected, so the next error starts a new outage. */
const CONNECTED_MS = 20_000;

/** Yields every record once and reconnects after outages of Postgres. Throws what is known if it stays unavailable. */
export async function* followWithRetry(patience: FollowInputs): AsyncGenerator<JournalRecord> {
  const { journal, world, run, after, signal, away } = patience;
  let last = after;
  let since: number | undefined;
  while (!signal.aborted) {
    const begun = world.now();
    try {
      for await (const record of journal.follow(run, last, signal)) {
        [last, since] = [record.seq, undefined];
        yield record;
      }
      return;
    } catch (error) {
      requireOutage(error);
      if (world.now() - begun >= CONNECTED_MS) since = undefined;
      if (since === undefined) away();
      since ??= world.now();
      if (world.now() - since >= PATIENCE_MS)
        throw createLostConnectionError(run, formatTimeWithSeconds(since, world.now()));
      await world.sleep(PAUSE_MS, signal);
    }
  }
}

function requireOutage(error: unknown): void {
  if (!(error instanceof SignalboxError) || error.code !== "DATABASE_UNREACHABLE") throw error;
}

/** The run's fate depends on what its owner could still store, which cannot be read from here. */
function createLostConnectionError(run: string, since: string): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `Lost connection to Postgres at ${since}. The state of run ${run} is unknown until it is back: then its workers continue it, or it is suspended as interrupted.`,
    `When Postgres is back, check with \`signalbox why ${run}\`. Continue a suspended run with \`signalbox resume ${run}\`, or follow it with \`signalbox events ${run} --follow\`.`,
  );
}
