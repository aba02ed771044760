import { SUSPENDED } from "../../core/end.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Database } from "./database.ts";
import type { Notices } from "./notices.ts";

export type WakerParts = {
  readonly database: Database;
  readonly notices: Notices;
  readonly closing: AbortSignal;
  readonly queue: string;
  readonly drive: Host["drive"];
  readonly log: (line: string) => void;
};

/** Rung for a letter to any run. */
export const LETTERS = "letters";

/** Drives parked runs of the queue as soon as somebody has written to them, until the host closes. */
export async function wakeParked(parts: WakerParts): Promise<void> {
  const { notices, closing } = parts;
  // A letter wakes once: a run that leaves it unread and parks again must not be driven for it for ever.
  const woken = new Map<string, number>();
  while (!closing.aborted) {
    await notices.listening();
    const rung = notices.bells.count(LETTERS);
    for (const { id, letter } of await writtenTo(parts)) {
      if ((woken.get(id) ?? 0) >= letter) continue;
      woken.set(id, letter);
      parts.drive(id).catch((error: unknown) => parts.log(`run ${id} was woken by a letter: ${String(error)}`));
    }
    await notices.bells.after(LETTERS, rung, closing);
  }
}

async function writtenTo({ database, closing, queue, log }: WakerParts) {
  if (closing.aborted) return [];
  const parked = database.query<{ id: string; letter: number }>(
    `SELECT runs.id, max(inbox.id) AS letter FROM runs JOIN inbox ON inbox.run = runs.id AND inbox.read_at IS NULL
     WHERE runs.queue = $1 AND runs.status = ANY($2::text[]) AND (runs.owner IS NULL OR runs.lease_until <= now_ms())
     GROUP BY runs.id`,
    [queue, SUSPENDED],
  );
  // A failed look is made good by the next one: the letters stay where they are.
  return parked.catch((error: unknown) => {
    log(`looking for letters: ${String(error)}`);
    return [];
  });
}
