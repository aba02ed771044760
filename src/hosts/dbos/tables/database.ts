import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase, Pool, PoolClient, QueryResultRow } from "pg";
import { isPostgresAddress } from "../../../core/text/database-address.ts";
import { importPeer } from "../optional-dependency.ts";
import {
  createInvalidAddressError,
  createUnreachableError,
  isConnectionLost,
  isStartingUp,
  toUserError,
} from "./failure.ts";
import { type Outage, UNLOGGED_OUTAGE } from "./outage.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A result as a table: columns are known without rows, and duplicate column names are preserved. */
export type QueryTable = (text: string) => Promise<{
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}>;

/** A bounded connection pool on one schema. */
export type Database = {
  readonly url: string;
  readonly schema: string;
  /** Retried while the server is unavailable; only for idempotent statements. */
  readonly query: Query;
  /** Like `query`, for frequent statements: each connection prepares it once. */
  readonly prepared: Query;
  /** Not retried, for statements that must run at most once. */
  readonly once: Query;
  /** Restarted while the server is unavailable. */
  transaction<T>(body: (query: Query, table: QueryTable) => Promise<T>, how?: TransactionOptions): Promise<T>;
  /** Gives the body a connection of its own. Its locks are released with the connection at the latest. */
  session<T>(body: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type TransactionOptions = {
  readonly begin?: string;
  /**
   * Not restarted after a commit without an answer: the second run would find the rows of the first one and misread
   * them.
   */
  readonly once?: true;
};

export type PostgresOptions = {
  readonly url: string;
  readonly schema: string;
  /** Maximum number of connections of this process. */
  readonly connections: number;
  /** How long a query waits for an unavailable server before it fails. */
  readonly patienceMs: number;
  /** How long the first connection waits, for workers that are started together with the server. */
  readonly awaitMs?: number;
  /** Notified of each unanswered and each answered query. */
  readonly outage?: Outage;
  /** When it fires, queries no longer wait for an unavailable server. */
  readonly closing?: AbortSignal;
};

const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Longer than any query takes. */
const ANSWER_MS = 60_000;

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, schema } = options;
  if (!isPostgresAddress(url)) throw createInvalidAddressError();
  const pool = await createPool(options);
  await waitUntilReachable(pool, options);
  const { during, settled } = trackPending();
  const patiently = <T>(work: () => Promise<T>) => during(() => retryWhileLost(work, options));
  const ask: Query = async (text, values) => (await pool.query(toStatement(text, values))).rows;
  return {
    url,
    schema,
    query: (text, values) => patiently(() => ask(text, values)),
    prepared: (text, values) =>
      patiently(async () => (await pool.query({ ...toStatement(text, values), name: text })).rows),
    once: (text, values) => during(() => ask(text, values)),
    transaction: (body, how = {}) => patiently(() => runInTransaction(pool, body, how)),
    session: (body) => during(() => runInSession(pool, body)),
    close: async () => {
      await settled();
      await pool.end();
    },
  };
}

async function createPool({ url, schema, connections }: PostgresOptions): Promise<Pool> {
  const { default: pg } = await importPeer("pg", () => import("pg"));
  const pool = new pg.Pool({
    connectionString: addSearchPath(url, schema),
    max: connections,
    keepAlive: true,
    // Ends queries on dead connections, which would otherwise wait for ever and occupy their slot in the pool.
    query_timeout: ANSWER_MS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "signalbox",
    // Releases the locks of a process that is paused inside a transaction.
    idle_in_transaction_session_timeout: IDLE_MS,
    // Counts and sums arrive as 64-bit and decimal text; rules expect numbers.
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // The pool replaces an idle connection that breaks; the next query reports the real problem.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Sets the search path in the connection string. A separate query could get lost with the server and block its pool
 * slot.
 */
function addSearchPath(url: string, schema: string): string {
  const address = new URL(url);
  const path = `-c search_path=${quoteIdentifier(schema).replaceAll(/[\\ ]/g, "\\$&")}`;
  address.searchParams.set("options", [address.searchParams.get("options"), path].filter(Boolean).join(" "));
  return address.href;
}

const INT8 = 20;
const NUMERIC = 1700;
const NUMBERS: ReadonlySet<number> = new Set([INT8, NUMERIC]);

/** Waits for a server that is starting up. Waits for one that does not answer only if `awaitMs` is set. */
async function waitUntilReachable(pool: Pool, { url, patienceMs, awaitMs = 0 }: PostgresOptions): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      await pool.query("SELECT 1");
      return;
    } catch (error) {
      const most = isStartingUp(error) ? Math.max(patienceMs, RECOVERY_MS) : isConnectionLost(error) ? awaitMs : 0;
      if (performance.now() - from >= most) {
        await pool.end();
        throw createUnreachableError(url, error);
      }
      await delay(LOOK_AGAIN_MS);
    }
  }
}

const RECOVERY_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/** The transaction may have been committed, so only a caller that can check may repeat it. */
class UnansweredCommit extends Error {}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

async function retryWhileLost<T>(work: () => Promise<T>, options: PostgresOptions): Promise<T> {
  const { url, patienceMs, closing, outage = UNLOGGED_OUTAGE } = options;
  const until = performance.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const answer = await work();
      outage.answered();
      return answer;
    } catch (error) {
      if (error instanceof UnansweredCommit) throw toUserError(error.cause, url);
      if (isConnectionLost(error) && !closing?.aborted) outage.lost();
      if (!isConnectionLost(error) || closing?.aborted || performance.now() + pause > until)
        throw toUserError(error, url);
      await delay(pause);
    }
  }
}

/** Tracks running queries. A pool that is ended drops queued requests, so it is ended only when there are none. */
function trackPending() {
  const under = new Set<Promise<unknown>>();
  return {
    during: <T>(work: () => Promise<T>): Promise<T> => {
      const done = work().finally(() => under.delete(done));
      under.add(done);
      return done;
    },
    settled: () => Promise.allSettled(under),
  };
}

type TransactionBody<T> = (query: Query, table: QueryTable) => Promise<T>;

async function runInTransaction<T>(pool: Pool, body: TransactionBody<T>, how: TransactionOptions): Promise<T> {
  const client = await acquireClient(pool);
  let broken: Error | undefined;
  try {
    await client.query(how.begin ?? "BEGIN");
    const result = await body(createQuery(client), createTableQuery(client));
    await client.query("COMMIT").catch((cause: unknown) => {
      throw how.once && isConnectionLost(cause)
        ? new UnansweredCommit("the server did not answer a commit", { cause })
        : cause;
    });
    return result;
  } catch (error) {
    // A connection whose rollback fails is discarded with its transaction.
    await client.query("ROLLBACK").catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    releaseClient(client, broken);
  }
}

async function runInSession<T>(pool: Pool, body: (query: Query) => Promise<T>): Promise<T> {
  const client = await acquireClient(pool);
  try {
    return await body(createQuery(client));
  } finally {
    // Closes the connection, so that a lock that was not released does not stay in the pool.
    releaseClient(client, true);
  }
}

/**
 * A connection that breaks between two queries emits an error event, which would end the process without a listener.
 */
async function acquireClient(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  return client.on("error", ignoreError);
}

function releaseClient(client: PoolClient, broken: Error | boolean | undefined): void {
  client.off("error", ignoreError);
  client.release(broken);
}

/** The next query on that connection fails and reports the error. */
const ignoreError = () => undefined;

const createQuery =
  (client: ClientBase): Query =>
  async (text, values) =>
    (await client.query(toStatement(text, values))).rows;

const createTableQuery =
  (client: ClientBase): QueryTable =>
  async (text) => {
    const { fields, rows } = await client.query<unknown[]>({ ...toStatement(text, []), rowMode: "array" });
    return { columns: fields.map(({ name }) => name), rows };
  };

/** With a values array, even an empty one, the server accepts a single statement; without it, a script. */
const toStatement = (text: string, values: readonly unknown[] | undefined) =>
  values ? { text, values: [...values], queryMode: "extended" as const } : { text };
