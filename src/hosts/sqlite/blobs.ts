import type { DatabaseSync } from "node:sqlite";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createStoreReader } from "./failure.ts";
import type { Commits } from "./group-commit.ts";

export type SqliteBlobsDeps = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly world: World;
};

export function createSqliteBlobs({ db, file, commits, world }: SqliteBlobsDeps): Host["blobs"] {
  const insert = db.prepare("INSERT INTO blobs (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const select = db.prepare("SELECT text FROM blobs WHERE digest = ?");
  const read = createStoreReader(file);
  return {
    put: async (text) => {
      const digest = world.hash(text);
      if (!read(() => select.get(digest))) await commits.run(() => insert.run(digest, text));
      return digest;
    },
    get: async (digest) => {
      const text = read(() => select.get(digest))?.["text"];
      return text === undefined ? undefined : String(text);
    },
  };
}
