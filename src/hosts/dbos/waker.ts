import { SUSPENDED } from "../../core/authoring/end.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Database } from "./tables/database.ts";
import type { Notices } from "./tables/listen-notify.ts";

export type WakerParts = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly queue: string;
  readonly drive: Host["drive"];
  readonly log: (line: string) => void;
};

/** Rung for a letter to any run. */
export const SIGNALS_TOPIC = "letters";

/** Drives runs of the queue that were written to while parked, or abandoned by a closing worker, until the host closes. */
export async function wakeParked(parts: WakerParts): Promise<void> {
  const { notices, closing } = parts;
  // A letter wakes once: a run that leaves it unread and parks again must not be driven for it for ever.
  const woken = new Map<string, number>();
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.notifier.count(SIGNALS_TOPIC);
    for (const { id, letter, abandoned } of await toWake(parts)) {
      if (!abandoned && (woken.get(id) ?? 0) >= letter) continue;
      woken.set(id, letter);
      parts.drive(id).catch((error: unknown) => parts.log(`run ${id} was woken: ${String(error)}`));
    }
    await notices.notifier.after(SIGNALS_TOPIC, rung, closing);
  }
}

async function toWake({ database, closing, queue, log }: WakerParts) {
  if (closing.aborted) return [];
  const parked = database.query<{ id: string; letter: number; abandoned: boolean }>(
    `SELECT * FROM (
       SELECT id, status, abandoned,
         (SELECT coalesce(max(inbox.id), 0) FROM inbox WHERE inbox.run = runs.id AND read_at IS NULL) AS letter
       FROM runs WHERE queue = $1 AND (abandoned OR status = ANY($2::text[])) AND (owner IS NULL OR lease_until <= now_ms())
     ) AS parked WHERE abandoned OR letter > 0`,
    [queue, SUSPENDED],
  );
  // A failed look is made good by the next one: the letters stay where they are.
  return parked.catch((error: unknown) => {
    log(`looking for runs to wake: ${String(error)}`);
    return [];
  });
}
