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

/** What many who share one Postgres need beside the runs. */
export type Team = {
  /** As whom Postgres knows whoever is connected here. */
  readonly role: string;
  /** Wants the run driven by any worker that offers these; of two that want it one drive comes. */
  submit(run: string, needs: readonly string[]): Promise<void>;
  /** Ends a run that nobody drives with the word of a person; false where somebody has it by now, or it has gone on. */
  cancel(run: string, end: CanceledEnd): Promise<boolean>;
  /** How many of a run's records came from whoever submitted it; 0 of one that was there before they were counted. */
  born(run: string): Promise<number>;
  workers(): Promise<readonly WorkerRow[]>;
  /** Whoever has something of this run, alive or not. */
  holders(run: string): Promise<readonly HolderRow[]>;
  /** What is wanted or under way, the oldest first; of one run, where one is named. */
  tasks(run?: string): Promise<readonly TaskRow[]>;
  readonly notes: Notes;
  readonly spools: Spools;
  readonly trust: TrustBook;
  /** Many rows of one SELECT over the ledger; read only, and stopped when it takes long. */
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
  /** Names this process on its claims. */
  readonly worker: () => string;
  readonly heeded?: InboxParts["heeded"];
};

/** The half of the host that remembers, and needs no DBOS. */
export type Store = {
  readonly database: Database;
  readonly notices: Notices;
  readonly tasks: Tasks;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
  readonly half: Pick<TeamHost, "runs" | "journal" | "inbox" | "ledger" | "blobs" | "team">;
  /** What waits is told at once; the connections go when `before` is done. */
  close(before?: () => Promise<void>): Promise<void>;
};

export async function openStore(options: StoreOptions): Promise<Store> {
  const { world } = options;
  const closing = new AbortController();
  const database = await openDatabase({ ...options, closing: closing.signal });
  const { reader, now, role } = await checked(database);
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

type Opened = { readonly reader: string | undefined; readonly now: number; readonly role: string };

/** Refuses tables of another version; gives the role that asks rules, the time there, and who we are. */
async function checked(database: Database): Promise<Opened> {
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
