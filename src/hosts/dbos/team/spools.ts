import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Database } from "../tables/database.ts";

/** A file below a run's folder as a worker sent it last. `bytes` counts what it had there, also what was cut off. */
export type SpoolRow = { readonly path: string; readonly bytes: number; readonly at: number };

/** What agents and checks printed, sent by the workers that heard it. The newest of a path replaces the one before. */
export type Spools = {
  /** Of a longer one the end is kept; `bytes` says how long it is where only its end was handed in. */
  put(run: string, path: string, body: Uint8Array, bytes?: number): Promise<void>;
  list(run: string): Promise<readonly SpoolRow[]>;
  get(run: string, path: string): Promise<Uint8Array | undefined>;
};

/** Larger ones are for whoever works on that machine; a dashboard shows their end. */
export const SPOOL_BYTES = 4_000_000;

export function postgresSpools({ query }: Database): Spools {
  return {
    async put(run, path, body, bytes = body.byteLength) {
      const packed = await promisify(gzip)(body.subarray(-SPOOL_BYTES));
      await query(
        `INSERT INTO spools (run, path, at, bytes, body) VALUES ($1, $2, now_ms(), $3, $4)
         ON CONFLICT (run, path) DO UPDATE SET at = excluded.at, bytes = excluded.bytes, body = excluded.body`,
        [run, path, bytes, packed],
      );
    },
    list: (run) => query<SpoolRow>("SELECT path, bytes, at FROM spools WHERE run = $1 ORDER BY path", [run]),
    async get(run, path) {
      const [row] = await query<{ body: Buffer }>("SELECT body FROM spools WHERE run = $1 AND path = $2", [run, path]);
      return row && promisify(gunzip)(row.body);
    },
  };
}
