import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { dbosDrive } from "./drives.ts";
import { dbosEffects } from "./effects.ts";
import { createService } from "./service.ts";
import { postgresStops } from "./stop-signal.ts";
import { postgresBlobs } from "./tables/blobs.ts";
import { type Database, openDatabase } from "./tables/database.ts";
import { postgresInbox } from "./tables/inbox.ts";
import { postgresJournal } from "./tables/journal.ts";
import { postgresLedger } from "./tables/ledger.ts";
import { postgresNotices } from "./tables/listen-notify.ts";
import { migrate } from "./tables/migrate.ts";
import { readerRole } from "./tables/reader-role.ts";
import { postgresRuns } from "./tables/runs.ts";
import { wakeParked } from "./waker.ts";

export type DbosHostOptions = {
  /** `postgres://user:password@host:port/database`. Ours and DBOS's tables live in two schemas of it. */
  readonly url: string;
  readonly world: World;
  /** How long a worker may be silent before its claims lapse and others take over what it had under way. */
  readonly leaseMs?: number;
  /** Workers that share a queue share their work: give each group that can do the same work a name. */
  readonly queue?: string;
  /** Drives runs of the queue that were written to while parked or left by a closing worker; for processes that stay. */
  readonly wakes?: boolean;
  readonly schema?: string;
  /** Hears what DBOS and the reaper complain about. */
  readonly log?: (line: string) => void;
};

const LEASE_MS = 15_000;
const INTERRUPTIONS = 3;

/** Many processes, one Postgres: the store is ours, DBOS runs the workflows and remembers their outcomes. */
export async function dbosHost(options: DbosHostOptions): Promise<Host> {
  const { url, world, leaseMs = LEASE_MS, queue = "signalbox", schema = "signalbox" } = options;
  const log = options.log ?? (() => undefined);
  const database = await openMigrated(url, schema);
  // Of this process's life only: DBOS recovers by itself what carries its executor id, and we want the guard of
  // the reaper around every recovery.
  const executor = world.newId();
  const notices = postgresNotices(url, schema);
  const closing = new AbortController();
  const parts = { database, notices, closing: closing.signal };
  const stops = postgresStops(parts);
  const beside = () => [stops.watch(), ...(options.wakes ? [wakeParked({ ...parts, queue, drive, log })] : [])];
  const service = createService({ database, stops, executor, queue, leaseMs, log, beside });
  const drive = dbosDrive({ ...parts, stops, queue, workflows: service.workflows });
  let closed: Promise<void> | undefined;
  return {
    name: "dbos",
    interruptions: INTERRUPTIONS,
    leaseMs,
    serve: service.serve,
    drive,
    runs: postgresRuns({ database, leaseMs, executor }),
    journal: postgresJournal(parts),
    effects: dbosEffects({ stops, workflows: service.workflows }),
    inbox: postgresInbox({ ...parts, world }),
    ledger: postgresLedger(database, await readerRole(database)),
    blobs: postgresBlobs(database, world.hash),
    close: () => {
      closing.abort();
      closed ??= service
        .close()
        .then(() => notices.close())
        .then(() => database.close());
      return closed;
    },
  };
}

async function openMigrated(url: string, schema: string): Promise<Database> {
  const database = await openDatabase(url, schema);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
