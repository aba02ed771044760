import type { Host } from "../../../core/ports/host.ts";
import type { Database } from "./database.ts";

/** Stores bytes, because output of agents may contain NUL, which Postgres text cannot. */
export function createPostgresBlobs(database: Database, hash: (text: string) => string): Host["blobs"] {
  return {
    async put(text) {
      const digest = hash(text);
      await database.query("INSERT INTO blobs (digest, body) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING", [
        digest,
        Buffer.from(text),
      ]);
      return digest;
    },
    async get(digest) {
      const [row] = await database.query<{ body: Buffer }>("SELECT body FROM blobs WHERE digest = $1", [digest]);
      return row?.body.toString();
    },
  };
}
