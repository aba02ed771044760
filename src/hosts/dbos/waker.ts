import { FINISHED, SUSPENDED } from "../../core/authoring/end.ts";
import type { LogFailure } from "./failure-logger.ts";
import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { requestDrive, TASKS_TOPIC } from "./tables/tasks.ts";

export type WakerDeps = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  /** Null wakes runs of every repository. */
  readonly repo: string | null;
  readonly complain: LogFailure;
};

/** Rings for a signal to any run. */
export const SIGNALS_TOPIC = "letters";

/** Queues drives for parked runs that received a signal and for abandoned ones, until the host closes. */
export async function wakeParked(parts: WakerDeps): Promise<void> {
  const { notices, closing, complain } = parts;
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.notifier.count(SIGNALS_TOPIC);
    // A failed check is repeated by the next one: signals stay in the table.
    if (!closing.aborted) await wakeRuns(parts).catch((error: unknown) => complain("looking for runs to wake", error));
    await notices.notifier.after(SIGNALS_TOPIC, rung, closing);
  }
}

/** Each signal wakes a run once, so that a run that leaves it unread and parks again is not driven in a loop. */
const WOKEN = `
  UPDATE runs SET woken = parked.letter FROM (
    SELECT number, abandoned,
      (SELECT coalesce(max(inbox.id), 0) FROM inbox WHERE inbox.run = runs.id AND read_at IS NULL) AS letter
    FROM runs WHERE drives > 0 AND ($1::text IS NULL OR repo = $1) AND (abandoned AND status <> ALL($3::text[]) OR status = ANY($2::text[]))
      AND (owner IS NULL OR lease_until <= now_ms())
      AND NOT EXISTS (SELECT FROM tasks WHERE tasks.run = runs.id AND kind = 'run')
    FOR UPDATE SKIP LOCKED
  ) AS parked
  WHERE runs.number = parked.number AND (parked.abandoned OR parked.letter > runs.woken) RETURNING id`;

async function wakeRuns({ database, notices, repo }: WakerDeps): Promise<void> {
  await database.transaction(async (query) => {
    const woken = await query<{ id: string }>(WOKEN, [repo, SUSPENDED, FINISHED]);
    for (const { id } of woken) await requestDrive(query, id);
    if (woken.length > 0) await notices.post(query, TASKS_TOPIC);
  });
}
