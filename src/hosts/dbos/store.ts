import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { postgresBlobs } from "./tables/blobs.ts";
import { type Database, openDatabase } from "./tables/database.ts";
import { type InboxParts, postgresInbox } from "./tables/inbox.ts";
import { postgresJournal } from "./tables/journal.ts";
import { postgresLedger } from "./tables/ledger.ts";
import { type AskedRows, ledgerRowsOf } from "./tables/ledger-rows.ts";
import { type Notices, postgresNotices } from "./tables/listen-notify.ts";
import type { Outage } from "./tables/outage.ts";
import { readerRole } from "./tables/roles.ts";
import { bornWith, type CanceledEnd, cancelRun, postgresRuns } from "./tables/runs.ts";
import { requireSchema } from "./tables/schema.ts";
import { postgresTasks, type TaskRow, type Tasks } from "./tables/tasks.ts";
import { type Notes, postgresNotes } from "./team/notes.ts";
import { postgresSpools, type Spools } from "./team/spools.ts";
import { postgresTrust, type TrustBook } from "./team/trust.ts";
import { type HolderRow, holdersOf, liveWorkers, type WorkerRow } from "./team/workers.ts";

/** The operations that a team's shared Postgres adds to a host. */
export type Team = {
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
  readonly notes: Notes;
  readonly spools: Spools;
  readonly trust: TrustBook;
  /** Runs one SELECT over the ledger, read-only and with a time limit. */
  rows(sql: string): Promise<AskedRows>;
};

export type TeamHost = Host & { readonly team: Team };

export type StoreOptions = {
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
  readonly heeded?: InboxParts["heeded"];
};

/** The storage part of the host, which needs no DBOS. */
export type Store = {
  readonly database: Database;
  readonly notices: Notices;
  readonly tasks: Tasks;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
  readonly half: Pick<TeamHost, "runs" | "journal" | "inbox" | "ledger" | "blobs" | "team">;
  /** Fires `closing` at once and closes the connections after `before` has resolved. */
  close(before?: () => Promise<void>): Promise<void>;
};

export async function openStore(options: StoreOptions): Promise<Store> {
  const { world } = options;
  const closing = new AbortController();
  const database = await openDatabase({ ...options, closing: closing.signal });
  const { reader, now, role } = await checkTables(database);
  const clockAhead = world.now() - now;
  const notices = postgresNotices(database);
  const parts = { database, notices, closing: closing.signal };
  const tasks = postgresTasks(parts);
  let closed: Promise<void> | undefined;
  return {
    ...parts,
    tasks,
    half: {
      runs: postgresRuns({ ...options, database, clockAhead }),
      journal: postgresJournal(parts),
      inbox: postgresInbox({ ...parts, world, heeded: options.heeded }),
      ledger: postgresLedger(database, reader),
      blobs: postgresBlobs(database, world.hash),
      team: {
        role,
        submit: async (run, needs) => {
          await tasks.wantDrive(run, needs);
        },
        cancel: (run, end) => cancelRun(database, run, end),
        born: (run) => bornWith(database, run),
        workers: () => liveWorkers(database, clockAhead),
        holders: (run) => holdersOf(database, { run, clockAhead, leaseMs: options.leaseMs }),
        tasks: tasks.list,
        notes: postgresNotes(database),
        spools: postgresSpools(database),
        trust: postgresTrust(database),
        rows: (sql) => ledgerRowsOf(database, sql, reader),
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
    return { reader: await readerRole(database), now: here?.now ?? 0, role: here?.role ?? "" };
  } catch (error) {
    await database.close();
    throw error;
  }
}
