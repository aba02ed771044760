import type { ClientBase, Pool, PoolClient, QueryResultRow } from "pg";
import { SignalboxError } from "../../../core/failure/errors.ts";
import { importPeer } from "../optional-dependency.ts";

export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A bounded pool whose connections all stand in one schema. */
export type Database = {
  readonly url: string;
  readonly schema: string;
  readonly query: Query;
  transaction<T>(body: (query: Query) => Promise<T>, begin?: string): Promise<T>;
  /** One connection for the body alone; whatever it locks is let go with the connection at the latest. */
  session<T>(body: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Every process of a team holds this many connections at most, and DBOS as many again. */
export const POOL_SIZE = 5;
const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;

export async function openDatabase(url: string, schema: string): Promise<Database> {
  const { default: pg } = await importPeer("pg", () => import("pg"));
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "signalbox",
    // A process that is paused inside a transaction would keep its locks for as long as it sleeps.
    idle_in_transaction_session_timeout: IDLE_MS,
    // Counts and sums arrive as 64-bit and decimal text; a rule expects numbers.
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) },
    onConnect: async (client) => {
      await client.query(`SET search_path TO ${quoted(schema)}`);
    },
  });
  // An idle connection that breaks is replaced by the pool; the next query reports what is really wrong.
  pool.on("error", () => undefined);
  await reach(pool, url);
  const { during, settled } = pending();
  return {
    url,
    schema,
    query: (text, values) => during(async () => (await pool.query({ text, ...extended(values) })).rows),
    transaction: (body, begin = "BEGIN") => during(() => inTransaction(pool, body, begin)),
    session: (body) => during(() => inSession(pool, body)),
    close: async () => {
      await settled();
      await pool.end();
    },
  };
}

export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;

const INT8 = 20;
const NUMERIC = 1700;
const NUMBERS: ReadonlySet<number> = new Set([INT8, NUMERIC]);

async function reach(pool: Pool, url: string): Promise<void> {
  try {
    await pool.query("SELECT 1");
  } catch (error) {
    await pool.end();
    const why = error instanceof Error ? error.message || error.name : String(error);
    throw new SignalboxError(
      "DATABASE_UNREACHABLE",
      `Postgres at ${withoutPassword(url)} did not let us in: ${why}.`,
      "Check that the server runs, and the address, user and password given with --postgres.",
      { cause: error },
    );
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

async function inTransaction<T>(pool: Pool, body: (query: Query) => Promise<T>, begin: string): Promise<T> {
  const client = await borrow(pool);
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await body(queryOf(client));
    await client.query("COMMIT");
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
    (await client.query({ text, ...extended(values) })).rows;

/** With parameters, even none, the server takes one statement only; without, a script. */
const extended = (values: readonly unknown[] | undefined) =>
  values ? { values: [...values], queryMode: "extended" as const } : {};

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return "the given address";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
