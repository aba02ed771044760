import type { JournalRecord } from "../core/journal/record.ts";

type Cut = Pick<JournalRecord<"agent.finished">, "orderly" | "limit" | "worker">;

/** Why an attempt that was interrupted came to no end of its own: `worker build-1/82073146 died while it worked` */
export function cutText({ orderly, limit, worker }: Cut): string {
  const who = worker === undefined ? "its engine" : `worker ${worker}`;
  return orderly ? (limit ?? `${who} was told to stop`) : `${who} died while it worked`;
}
