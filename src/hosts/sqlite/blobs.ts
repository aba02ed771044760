import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import type { Commits } from "./commits.ts";

export type BlobParts = { readonly db: DatabaseSync; readonly commits: Commits; readonly world: World };

export function sqliteBlobs({ db, commits, world }: BlobParts): Host["blobs"] {
  const insert = db.prepare("INSERT INTO blobs (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const select = db.prepare("SELECT text FROM blobs WHERE digest = ?");
  return {
    put: async (text) => {
      const digest = world.hash(text);
      if (!select.get(digest)) await commits.run(() => insert.run(digest, text));
      return digest;
    },
    get: async (digest) => {
      const text = select.get(digest)?.["text"];
      return text === undefined ? undefined : String(text);
    },
  };
}
