import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { momentOfDay } from "../../surfaces/terminal/duration.ts";

type Patience = {
  readonly journal: Pick<Host["journal"], "follow">;
  readonly world: Pick<World, "now" | "sleep">;
  readonly run: string;
  readonly after: number;
  readonly signal: AbortSignal;
  /** Told once each time that Postgres goes away. */
  away(): void;
};

/** As long as the workers, who go on with the run meanwhile or afterwards. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
/** Who could follow for this long without a word was connected: what comes then is another outage. */
const HELD_MS = 20_000;

/** Gives every record once, also over a Postgres that goes and comes back; throws what is known when it stays away. */
export async function* followPatiently(patience: Patience): AsyncGenerator<JournalRecord> {
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
      requireAway(error);
      if (world.now() - begun >= HELD_MS) since = undefined;
      if (since === undefined) away();
      since ??= world.now();
      if (world.now() - since >= PATIENCE_MS) throw lostSight(run, momentOfDay(since, world.now()));
      await world.sleep(PAUSE_MS, signal);
    }
  }
}

function requireAway(error: unknown): void {
  if (!(error instanceof SignalboxError) || error.code !== "DATABASE_UNREACHABLE") throw error;
}

/** What becomes of the run depends on what its owner could still store, and nobody here can look. */
function lostSight(run: string, since: string): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `Postgres is away since ${since}, and where the run ${run} stands cannot be seen: its workers go on with it when Postgres is back, or it rests as interrupted.`,
    `When Postgres is back, \`signalbox why ${run}\` says which. Where it rests, \`signalbox resume ${run}\` goes on; \`signalbox events ${run} --follow\` follows it.`,
  );
}
