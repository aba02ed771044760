import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Database } from "../tables/database.ts";

/**
 * The last uploaded version of a file below a run's folder. `bytes` is its original size, including what was cut off.
 */
export type SpoolRow = { readonly path: string; readonly bytes: number; readonly at: number };

/** Output of agents and checks, uploaded by workers. The newest version of a path replaces the previous one. */
export type Spools = {
  /** Keeps the end of a longer body. Pass `bytes` if the body itself is already only the end of the file. */
  put(run: string, path: string, body: Uint8Array, bytes?: number): Promise<void>;
  list(run: string): Promise<readonly SpoolRow[]>;
  get(run: string, path: string): Promise<Uint8Array | undefined>;
};

/** Enough for a dashboard; larger files stay on the worker's machine. */
export const SPOOL_BYTES = 4_000_000;

export function createSpools({ query }: Database): Spools {
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
