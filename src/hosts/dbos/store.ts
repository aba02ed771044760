import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createPostgresBlobs } from "./tables/blobs.ts";
import { type Database, openPostgres } from "./tables/database.ts";
import { createPostgresInbox, type PostgresInboxDeps } from "./tables/inbox.ts";
import { createPostgresJournal } from "./tables/journal.ts";
import { createPostgresLedger } from "./tables/ledger.ts";
import { createNotices, type Notices } from "./tables/listen-notify.ts";
import type { Outage } from "./tables/outage.ts";
import { type LedgerQueryResult, queryLedgerRows } from "./tables/query-ledger-rows.ts";
import { findReaderRole } from "./tables/roles.ts";
import { type CanceledEnd, cancelRun, countInitialRecords, createPostgresRuns } from "./tables/runs.ts";
import { requireSchema } from "./tables/schema.ts";
import { createTasks, type TaskRow, type Tasks } from "./tables/tasks.ts";
import { createRunNotes, type RunNotes } from "./team/notes.ts";
import { createSpools, type Spools } from "./team/spools.ts";
import { createTrustBook, type TrustBook } from "./team/trust.ts";
import { type HolderRow, listHolders, listLiveWorkers, type WorkerRow } from "./team/workers.ts";

/** The operations that a team's shared Postgres adds to a host. */
export type TeamOperations = {
  /** The Postgres role of this connection. */
  readonly role: string;
  /** Queues the run for any worker with these labels. Concurrent submissions result in one drive. */
  submit(run: string, needs: readonly string[]): Promise<void>;
  /**
   * Records the cancellation of a run that no worker drives. Returns false if a worker has taken it or its journal has
   * grown.
   */
  cancel(run: string, end: CanceledEnd): Promise<boolean>;
  /** The number of records that the submitter created the run with; 0 for runs from before this was stored. */
  born(run: string): Promise<number>;
  workers(): Promise<readonly WorkerRow[]>;
  /** Lists the workers that hold a part of this run, dead ones included. */
  holders(run: string): Promise<readonly HolderRow[]>;
  /** Lists queued and running tasks, oldest first, optionally of one run. */
  tasks(run?: string): Promise<readonly TaskRow[]>;
  readonly notes: RunNotes;
  readonly spools: Spools;
  readonly trust: TrustBook;
  /** Runs one SELECT over the ledger, read-only and with a time limit. */
  rows(sql: string): Promise<LedgerQueryResult>;
};

export type TeamHost = Host & { readonly team: TeamOperations };

export type TeamStoreOptions = {
  readonly url: string;
  readonly schema: string;
  readonly world: World;
  readonly leaseMs: number;
  readonly connections: number;
  readonly patienceMs: number;
  readonly awaitMs?: number;
  readonly outage?: Outage;
  /** Names this worker in its claims. */
  readonly worker: () => string;
  readonly heeded?: PostgresInboxDeps["heeded"];
};

/** The storage part of the host, which needs no DBOS. */
export type TeamStore = {
  readonly database: Database;
  readonly notices: Notices;
  readonly tasks: Tasks;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
  readonly half: Pick<TeamHost, "runs" | "journal" | "inbox" | "ledger" | "blobs" | "team">;
  /** Fires `closing` at once and closes the connections after `before` has resolved. */
  close(before?: () => Promise<void>): Promise<void>;
};

export async function openTeamStore(options: TeamStoreOptions): Promise<TeamStore> {
  const { world } = options;
  const closing = new AbortController();
  const database = await openPostgres({ ...options, closing: closing.signal });
  const { reader, now, role } = await checkTables(database);
  const clockAhead = world.now() - now;
  const notices = createNotices(database);
  const parts = { database, notices, closing: closing.signal };
  const tasks = createTasks(parts);
  let closed: Promise<void> | undefined;
  return {
    ...parts,
    tasks,
    half: {
      runs: createPostgresRuns({ ...options, database, clockAhead }),
      journal: createPostgresJournal(parts),
      inbox: createPostgresInbox({ ...parts, world, heeded: options.heeded }),
      ledger: createPostgresLedger(database, reader),
      blobs: createPostgresBlobs(database, world.hash),
      team: {
        role,
        submit: async (run, needs) => {
          await tasks.wantDrive(run, needs);
        },
        cancel: (run, end) => cancelRun(database, run, end),
        born: (run) => countInitialRecords(database, run),
        workers: () => listLiveWorkers(database, clockAhead),
        holders: (run) => listHolders(database, { run, clockAhead, leaseMs: options.leaseMs }),
        tasks: tasks.list,
        notes: createRunNotes(database),
        spools: createSpools(database),
        trust: createTrustBook(database),
        rows: (sql) => queryLedgerRows(database, sql, reader),
      },
    },
    close: (before = async () => undefined) => {
      closing.abort();
      closed ??= before()
        .then(() => notices.close())
        .then(() => database.close());
      return closed;
    },
  };
}

type StoreIdentity = { readonly reader: string | undefined; readonly now: number; readonly role: string };

/** Refuses tables of another version. Returns the role for rules, the database's time and our own role. */
async function checkTables(database: Database): Promise<StoreIdentity> {
  try {
    await requireSchema(database);
    const [here] = await database.query<{ now: number; role: string }>(
      "SELECT now_ms() AS now, session_user::text AS role",
    );
    return { reader: await findReaderRole(database), now: here?.now ?? 0, role: here?.role ?? "" };
  } catch (error) {
    await database.close();
    throw error;
  }
}
