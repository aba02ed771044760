import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { embedded } from "../embedded.ts";
import { ledgerReader } from "../ledger/ask.ts";
import { createNotifier, type Notifier } from "../notifier.ts";
import { sqliteBlobs } from "./blobs.ts";
import { storeFailure } from "./failure.ts";
import { createCommits } from "./group-commit.ts";
import { sqliteInbox } from "./inbox.ts";
import { sqliteJournal } from "./journal.ts";
import { openDatabase } from "./open.ts";
import { sqliteRuns } from "./runs.ts";
import { watchOthers } from "./watch.ts";

const LEASE_MS = 30_000;

export type SqliteHostOptions = {
  /** A path, or `:memory:` for a store that is used by one handle and ends with it. */
  readonly file: string;
  readonly world: World;
  readonly leaseMs?: number;
  /** For read-only use, when the file may not be writable. */
  readonly looking?: boolean;
};

/** The embedded host: one SQLite file, effects in this process. */
export function sqliteHost({ file, world, leaseMs = LEASE_MS, looking = false }: SqliteHostOptions): Host {
  const db = openDatabase({ file, world, looking });
  const commits = createCommits(db, file);
  const notifier: Notifier = createNotifier(watchOthers(db, () => notifier.ringAll()));
  const closing = new AbortController();
  const closed = closing.signal;
  return {
    name: "sqlite",
    interruptions: 1,
    leaseMs,
    ...embedded(),
    runs: sqliteRuns({ db, file, commits, world, leaseMs }),
    journal: sqliteJournal({ db, file, commits, notifier, closed }),
    inbox: sqliteInbox({ db, file, commits, notifier, world, closed }),
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
