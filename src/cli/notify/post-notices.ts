import { basename } from "node:path";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createNoticeReader } from "../../surfaces/webhooks/notice.ts";
import type { Outbox } from "../../surfaces/webhooks/outbox.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { openRepositoryOutbox } from "./repository-outbox.ts";
import { startSender } from "./sender.ts";
import type { Target } from "./targets.ts";

export type NoticeContext = {
  readonly host: Pick<Host, "journal">;
  readonly world: Pick<World, "redact">;
  readonly places: RepositoryPlaces;
  readonly targets: readonly Target[];
  /** The repository is trusted for this call only. */
  readonly trusted: boolean;
};

export type NoticePoster = { close(): Promise<void> };

const NO_POSTER: NoticePoster = { close: async () => {} };

/**
 * Adds a notice to the outbox for each record that a target subscribes to, while a run is driven. Never stops a run.
 */
export function followNotices(posting: NoticeContext, run: string): NoticePoster {
  const { host, places, targets } = posting;
  if (targets.length === 0) return NO_POSTER;
  const over = new AbortController();
  const posted = (async () => {
    const outbox = openRepositoryOutbox(places);
    try {
      outbox.follow(run);
      // Registers current targets before the first record.
      outbox.post([], targets);
      const { take } = createNoticeTaker(posting, outbox);
      let seq = 0;
      for await (const record of host.journal.follow(run, 0, over.signal)) {
        seq = record.seq;
        take(record);
      }
      for (const record of await host.journal.load(run, seq)) take(record);
      outbox.unfollow(run);
    } finally {
      outbox.close();
    }
  })().catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${posting.world.redact(`warning: notifications of this run failed: ${why}`)}\n`);
  });
  return {
    async close() {
      over.abort();
      await posted;
    },
  };
}

/** Queues notices for records that a killed engine had written but not queued. */
export async function postAbandoned(posting: NoticeContext, outbox: Outbox): Promise<void> {
  for (const run of outbox.abandoned()) {
    const { take } = createNoticeTaker(posting, outbox, { send: false });
    for (const record of await posting.host.journal.load(run)) take(record);
    outbox.unfollow(run);
  }
}

function createNoticeTaker({ world, places, targets, trusted }: NoticeContext, outbox: Outbox, { send = true } = {}) {
  const reader = createNoticeReader({ repository: basename(places.top), redact: world.redact });
  return {
    take(record: Parameters<typeof reader.take>[0]): void {
      const notice = reader.take(record);
      if (!notice || outbox.post([notice], targets) === 0) return;
      if (send && !outbox.hasSender()) startSender(places, { trusted });
    },
  };
}
