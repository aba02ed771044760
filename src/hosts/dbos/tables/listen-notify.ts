import type { Client } from "pg";
import { createNotifier, type Notifier } from "../../notifier.ts";
import { importPeer } from "../optional-dependency.ts";
import type { Database, Query } from "./database.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** Notifies other processes that there is something new to read in the tables. */
export type Notices = {
  /** Delivered when the transaction of this query commits. */
  post(query: Query, topic: string): Promise<void>;
  /** Delivered shortly, together with others; call it after the data is stored. */
  postSoon(topic: string): void;
  /** Rings on notices of every process, and periodically, so a woken caller must check the tables itself. */
  readonly notifier: Notifier;
  /** Await it before checking the tables: later notices are not missed. */
  listening(): Promise<void>;
  close(): Promise<void>;
};

/** A notice can be lost with its connection, so all waiters check again after this time. */
const LOOK_AGAIN_MS = 1_000;
const SOON_MS = 15;

export function createNotices(database: Database): Notices {
  const { url, schema } = database;
  const channel = `signalbox/${schema}`;
  const notifier = createNotifier(() => {
    const timer = setInterval(() => notifier.ringAll(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  });
  let listener: Promise<Client | undefined> | undefined;
  const forgetListener = () => {
    listener = undefined;
  };
  const openListener = async () => {
    const { default: pg } = await importPeer("pg", () => import("pg"));
    const client = new pg.Client({ connectionString: url, application_name: "signalbox notices" });
    client.on("notification", (notice) => notifier.ring(notice.payload ?? ""));
    client.on("error", forgetListener);
    client.on("end", forgetListener);
    return connectListener(client, channel);
  };
  const soon = createTopicBatcher((topics) => sendNotices(database, channel, topics));
  return {
    post: async (query, topic) => {
      await query("SELECT pg_notify($1, $2)", [channel, topic]);
    },
    postSoon: soon.add,
    notifier,
    // One connection for all waiters, opened by the first one and again after it broke.
    listening: async () => {
      listener ??= openListener();
      if (!(await listener)) forgetListener();
    },
    close: async () => {
      await soon.flush();
      const client = await listener;
      await client?.end();
    },
  };
}

/**
 * Sent outside the append: Postgres lets only one transaction with a notice commit at a time, so all others would wait
 * for its sync. This transaction does not wait for the disk.
 */
async function sendNotices(database: Database, channel: string, topics: readonly string[]): Promise<void> {
  // A process that misses a notice checks again soon.
  await database.query(RING, [channel, topics]).catch(() => undefined);
}

/** Sets the option for its own transaction before that commits. */
const RING = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, topic) FROM unnest($2::text[]) AS topic`;

function createTopicBatcher(send: (topics: readonly string[]) => Promise<void>) {
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

/** Returns undefined if the connection fails; the waiters then rely on the periodic check. */
async function connectListener(client: Client, channel: string): Promise<Client | undefined> {
  try {
    await client.connect();
    await client.query(`LISTEN ${quoteIdentifier(channel)}`);
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return undefined;
  }
}
