import { setTimeout as delay } from "node:timers/promises";
import type { Database, Query } from "./database.ts";

/** Runs the body in a transaction under a named lock of this schema. */
export function withSchemaLock<T>(database: Database, name: string, body: (query: Query) => Promise<T>): Promise<T> {
  return database.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [formatLockName(database, name)]);
    return body(query);
  });
}

const ASK_AGAIN_MS = 50;

/**
 * Like `exclusively`, for bodies that build indexes concurrently, as DBOS's migrations do. Those wait for every open
 * transaction, so neither the holder of the lock nor a waiter may be in one.
 */
export function withIdleSchemaLock<T>(database: Database, name: string, body: () => Promise<T>): Promise<T> {
  return database.session(async (query) => {
    const key = [formatLockName(database, name)];
    const take = () => query<{ taken: boolean }>("SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken", key);
    while (!(await take())[0]?.taken) await delay(ASK_AGAIN_MS);
    try {
      return await body();
    } finally {
      await query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", key);
    }
  });
}

/** Contains the schema, because advisory locks share one namespace per database. */
export const formatLockName = (database: Pick<Database, "schema">, name: string): string =>
  `signalbox/${database.schema}/${name}`;
