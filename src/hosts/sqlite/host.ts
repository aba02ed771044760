import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createEmbeddedExecution } from "../embedded-execution.ts";
import { createLedgerReader } from "../ledger/ledger-reader.ts";
import { createNotifier, type Notifier } from "../notifier.ts";
import { createSqliteBlobs } from "./blobs.ts";
import { toStoreError } from "./failure.ts";
import { createCommits } from "./group-commit.ts";
import { createSqliteInbox } from "./inbox.ts";
import { createSqliteJournal } from "./journal.ts";
import { openSqlite } from "./open.ts";
import { createSqliteRuns } from "./runs.ts";
import { watchOthers } from "./watch-others.ts";

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
export function createSqliteHost({ file, world, leaseMs = LEASE_MS, looking = false }: SqliteHostOptions): Host {
  const db = openSqlite({ file, world, looking });
  const commits = createCommits(db, file);
  const notifier: Notifier = createNotifier(watchOthers(db, () => notifier.ringAll()));
  const closing = new AbortController();
  const closed = closing.signal;
  return {
    name: "sqlite",
    interruptions: 1,
    leaseMs,
    ...createEmbeddedExecution(),
    runs: createSqliteRuns({ db, file, commits, world, leaseMs }),
    journal: createSqliteJournal({ db, file, commits, notifier, closed }),
    inbox: createSqliteInbox({ db, file, commits, notifier, world, closed }),
    ledger: createLedgerReader(db, (error) => toStoreError(error, file)),
    blobs: createSqliteBlobs({ db, file, commits, world }),
    close: async () => {
      if (!db.isOpen) return;
      commits.drain();
      closing.abort();
      db.close();
    },
  };
}
