import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase, Pool, PoolClient, QueryResultRow } from "pg";
import { isPostgresAddress } from "../../../core/text/database-address.ts";
import { importPeer } from "../optional-dependency.ts";
import { isComingUp, isLost, meaningOf, noAddress, unreachable } from "./failure.ts";
import { type Outage, UNTOLD } from "./outage.ts";
import { quoted } from "./quoted.ts";

export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** The answer as a table: its columns are known without a row, and two of one name are two. */
export type AskTable = (text: string) => Promise<{
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}>;

/** A bounded pool whose connections all stand in one schema. */
export type Database = {
  readonly url: string;
  readonly schema: string;
  /** Asked again while the server is away: only for words that do no harm when they are said twice. */
  readonly query: Query;
  /** The same for what is said thousands of times: each connection compiles it once. */
  readonly prepared: Query;
  /** Said once: whoever gets no answer cannot know whether it was done. */
  readonly once: Query;
  /** Begun again while the server is away. */
  transaction<T>(body: (query: Query, table: AskTable) => Promise<T>, how?: TransactionOptions): Promise<T>;
  /** One connection for the body alone; whatever it locks is let go with the connection at the latest. */
  session<T>(body: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type TransactionOptions = {
  readonly begin?: string;
  /** Not begun again once it may have been committed: the second would find the first one's work and misread it. */
  readonly once?: true;
};

export type DatabaseOptions = {
  readonly url: string;
  readonly schema: string;
  /** Connections that this process holds at most. */
  readonly connections: number;
  /** How long a server that is away is waited for before it is called unreachable. */
  readonly patienceMs: number;
  /** How long one that does not answer at first is waited for: a worker is started by whoever also restarts servers. */
  readonly awaitMs?: number;
  /** Hears of every question that the server left without an answer, and of every one that it answered. */
  readonly outage?: Outage;
  /** From when it fires nobody waits for a server that is away. */
  readonly closing?: AbortSignal;
};

const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Longer than anything that is asked here takes. */
const ANSWER_MS = 60_000;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, schema } = options;
  if (!isPostgresAddress(url)) throw noAddress();
  const pool = await newPool(options);
  await reach(pool, options);
  const { during, settled } = pending();
  const patiently = <T>(work: () => Promise<T>) => during(() => retried(work, options));
  const ask: Query = async (text, values) => (await pool.query(statement(text, values))).rows;
  return {
    url,
    schema,
    query: (text, values) => patiently(() => ask(text, values)),
    prepared: (text, values) =>
      patiently(async () => (await pool.query({ ...statement(text, values), name: text })).rows),
    once: (text, values) => during(() => ask(text, values)),
    transaction: (body, how = {}) => patiently(() => inTransaction(pool, body, how)),
    session: (body) => during(() => inSession(pool, body)),
    close: async () => {
      await settled();
      await pool.end();
    },
  };
}

async function newPool({ url, schema, connections }: DatabaseOptions): Promise<Pool> {
  const { default: pg } = await importPeer("pg", () => import("pg"));
  const pool = new pg.Pool({
    connectionString: inSchema(url, schema),
    max: connections,
    keepAlive: true,
    // A connection that died without a word would be waited for without end, and its place in the pool with it.
    query_timeout: ANSWER_MS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "signalbox",
    // A process that is paused inside a transaction would keep its locks for as long as it sleeps.
    idle_in_transaction_session_timeout: IDLE_MS,
    // Counts and sums arrive as 64-bit and decimal text; a rule expects numbers.
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // An idle connection that breaks is replaced by the pool; the next query reports what is really wrong.
  pool.on("error", () => undefined);
  return pool;
}

/** Said with the connection itself: a query of its own could be lost under a server that goes away, and block its place. */
function inSchema(url: string, schema: string): string {
  const address = new URL(url);
  const path = `-c search_path=${quoted(schema).replaceAll(/[\\ ]/g, "\\$&")}`;
  address.searchParams.set("options", [address.searchParams.get("options"), path].filter(Boolean).join(" "));
  return address.href;
}

const INT8 = 20;
const NUMERIC = 1700;
const NUMBERS: ReadonlySet<number> = new Set([INT8, NUMERIC]);

/** One that recovers is waited for; one that does not answer is waited for only where that was asked. */
async function reach(pool: Pool, { url, patienceMs, awaitMs = 0 }: DatabaseOptions): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      await pool.query("SELECT 1");
      return;
    } catch (error) {
      const most = isComingUp(error) ? Math.max(patienceMs, RECOVERY_MS) : isLost(error) ? awaitMs : 0;
      if (performance.now() - from >= most) {
        await pool.end();
        throw unreachable(url, error);
      }
      await delay(LOOK_AGAIN_MS);
    }
  }
}

const RECOVERY_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/** The transaction may have been committed: only who can look it up may say it again. */
class Unanswered extends Error {}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

async function retried<T>(work: () => Promise<T>, options: DatabaseOptions): Promise<T> {
  const { url, patienceMs, closing, outage = UNTOLD } = options;
  const until = performance.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const answer = await work();
      outage.answered();
      return answer;
    } catch (error) {
      if (error instanceof Unanswered) throw meaningOf(error.cause, url);
      if (isLost(error) && !closing?.aborted) outage.lost();
      if (!isLost(error) || closing?.aborted || performance.now() + pause > until) throw meaningOf(error, url);
      await delay(pause);
    }
  }
}

/** A pool that is ended forgets who still queues for a connection, so it is ended only when nobody does. */
function pending() {
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

type TransactionBody<T> = (query: Query, table: AskTable) => Promise<T>;

async function inTransaction<T>(pool: Pool, body: TransactionBody<T>, how: TransactionOptions): Promise<T> {
  const client = await borrow(pool);
  let broken: Error | undefined;
  try {
    await client.query(how.begin ?? "BEGIN");
    const result = await body(queryOf(client), tableOf(client));
    await client.query("COMMIT").catch((cause: unknown) => {
      throw how.once && isLost(cause) ? new Unanswered("no answer to a commit", { cause }) : cause;
    });
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away, with its transaction.
    await client.query("ROLLBACK").catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    giveBack(client, broken);
  }
}

async function inSession<T>(pool: Pool, body: (query: Query) => Promise<T>): Promise<T> {
  const client = await borrow(pool);
  try {
    return await body(queryOf(client));
  } finally {
    // Closed rather than given back: a lock that could not be let go must not live on in the pool.
    giveBack(client, true);
  }
}

/** A connection that breaks between two queries says so by an event, which would end the process if nobody heard. */
async function borrow(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  return client.on("error", unheard);
}

function giveBack(client: PoolClient, broken: Error | boolean | undefined): void {
  client.off("error", unheard);
  client.release(broken);
}

/** The next query on that connection fails, and its error is the one that is reported. */
const unheard = () => undefined;

const queryOf =
  (client: ClientBase): Query =>
  async (text, values) =>
    (await client.query(statement(text, values))).rows;

const tableOf =
  (client: ClientBase): AskTable =>
  async (text) => {
    const { fields, rows } = await client.query<unknown[]>({ ...statement(text, []), rowMode: "array" });
    return { columns: fields.map(({ name }) => name), rows };
  };

/** With parameters, even none, the server takes one statement only; without, a script. */
const statement = (text: string, values: readonly unknown[] | undefined) =>
  values ? { text, values: [...values], queryMode: "extended" as const } : { text };
