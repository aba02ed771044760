import { FINISHED, SUSPENDED } from "../../core/authoring/end.ts";
import type { Complain } from "./complain.ts";
import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { TASKS_TOPIC, wantDriveWithin } from "./tables/tasks.ts";

export type WakerParts = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  /** Null wakes every repository's. */
  readonly repo: string | null;
  readonly complain: Complain;
};

/** Rung for a letter to any run. */
export const SIGNALS_TOPIC = "letters";

/** Wants runs driven that were written to while parked, or abandoned by a closing worker, until the host closes. */
export async function wakeParked(parts: WakerParts): Promise<void> {
  const { notices, closing, complain } = parts;
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.notifier.count(SIGNALS_TOPIC);
    // A failed look is made good by the next one: the letters stay where they are.
    if (!closing.aborted) await wake(parts).catch((error: unknown) => complain("looking for runs to wake", error));
    await notices.notifier.after(SIGNALS_TOPIC, rung, closing);
  }
}

/** A letter wakes once, whoever hears it: a run that leaves it unread and parks again must not be driven for it for ever. */
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

async function wake({ database, notices, repo }: WakerParts): Promise<void> {
  await database.transaction(async (query) => {
    const woken = await query<{ id: string }>(WOKEN, [repo, SUSPENDED, FINISHED]);
    for (const { id } of woken) await wantDriveWithin(query, id);
    if (woken.length > 0) await notices.post(query, TASKS_TOPIC);
  });
}
