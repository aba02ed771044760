import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { type Bells, createBells } from "../bells.ts";
import { embedded } from "../embedded.ts";
import { ledgerReader } from "../ledger/ask.ts";
import { sqliteBlobs } from "./blobs.ts";
import { createCommits } from "./commits.ts";
import { storeFailure } from "./failure.ts";
import { sqliteInbox } from "./inbox.ts";
import { sqliteJournal } from "./journal.ts";
import { openDatabase } from "./open.ts";
import { sqliteRuns } from "./runs.ts";
import { watchOthers } from "./watch.ts";

const LEASE_MS = 30_000;

export type SqliteHostOptions = {
  /** A path, or `:memory:` for a store that one handle uses and that ends with it. */
  readonly file: string;
  readonly world: World;
  readonly leaseMs?: number;
};

/** The embedded host: one SQLite file, effects in this process. */
export function sqliteHost({ file, world, leaseMs = LEASE_MS }: SqliteHostOptions): Host {
  const db = openDatabase({ file, world });
  const commits = createCommits(db, file);
  const bells: Bells = createBells(watchOthers(db, () => bells.ringAll()));
  const closing = new AbortController();
  const closed = closing.signal;
  return {
    name: "sqlite",
    interruptions: 1,
    leaseMs,
    ...embedded(),
    runs: sqliteRuns({ db, file, commits, world, leaseMs }),
    journal: sqliteJournal({ db, file, commits, bells, closed }),
    inbox: sqliteInbox({ db, file, commits, bells, world, closed }),
    ledger: ledgerReader(db, (error) => storeFailure(error, file)),
    blobs: sqliteBlobs({ db, file, commits, world }),
    close: async () => {
      if (!db.isOpen) return;
      commits.drain();
      closing.abort();
      db.close();
    },
  };
}
