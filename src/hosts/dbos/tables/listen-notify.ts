import type { Client } from "pg";
import { createNotifier, type Notifier } from "../../notifier.ts";
import { importPeer } from "../optional-dependency.ts";
import type { Database, Query } from "./database.ts";
import { quoted } from "./quoted.ts";

/** Says across processes that there is something to read. What it is stands in the tables. */
export type Notices = {
  /** Delivered when the transaction of this query commits. */
  post(query: Query, topic: string): Promise<void>;
  /** Delivered in a moment, with others, after what it tells of is stored. */
  postSoon(topic: string): void;
  /** Rung by every process's posts, and now and then by themselves: whoever wakes must look for himself. */
  readonly notifier: Notifier;
  /** To be awaited before looking: from then on no post is missed. */
  listening(): Promise<void>;
  close(): Promise<void>;
};

/** A notice can be lost with its connection, so nobody waits longer than this before he looks again. */
const LOOK_AGAIN_MS = 1_000;
const SOON_MS = 15;

export function postgresNotices(database: Database): Notices {
  const { url, schema } = database;
  const channel = `signalbox/${schema}`;
  const notifier = createNotifier(() => {
    const timer = setInterval(() => notifier.ringAll(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  });
  let listener: Promise<Client | undefined> | undefined;
  const lost = () => {
    listener = undefined;
  };
  const open = async () => {
    const { default: pg } = await importPeer("pg", () => import("pg"));
    const client = new pg.Client({ connectionString: url, application_name: "signalbox notices" });
    client.on("notification", (notice) => notifier.ring(notice.payload ?? ""));
    client.on("error", lost);
    client.on("end", lost);
    return connected(client, channel);
  };
  const soon = batches((topics) => ring(database, channel, topics));
  return {
    post: async (query, topic) => {
      await query("SELECT pg_notify($1, $2)", [channel, topic]);
    },
    postSoon: soon.add,
    notifier,
    // One connection for all who wait, opened for the first of them and again after it broke.
    listening: async () => {
      listener ??= open();
      if (!(await listener)) lost();
    },
    close: async () => {
      await soon.flush();
      const client = await listener;
      await client?.end();
    },
  };
}

/**
 * Not within an append: Postgres lets only one transaction with a notice commit at a time, and all the others would
 * wait for its disk. Here nothing waits for the disk.
 */
async function ring(database: Database, channel: string, topics: readonly string[]): Promise<void> {
  // Whoever is not told looks for himself in a moment.
  await database.query(RING, [channel, topics]).catch(() => undefined);
}

/** A transaction of its own, which is set before it commits. */
const RING = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, topic) FROM unnest($2::text[]) AS topic`;

function batches(send: (topics: readonly string[]) => Promise<void>) {
  const topics = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...topics];
    topics.clear();
    if (batch.length > 0) sending = sending.then(() => send(batch));
    return sending;
  };
  return {
    add: (topic: string) => {
      topics.add(topic);
      timer ??= setTimeout(flush, SOON_MS);
    },
    flush,
  };
}

/** Nothing, where the connection fails: those who wait then live on looking again. */
async function connected(client: Client, channel: string): Promise<Client | undefined> {
  try {
    await client.connect();
    await client.query(`LISTEN ${quoted(channel)}`);
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return undefined;
  }
}
