import type { DatabaseSync } from "node:sqlite";
import type { Host, LeaseResult, RunRow } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createRunExistsError, createUnknownRunError, type RunOwnership } from "../errors.ts";
import { createStoreReader } from "./failure.ts";
import type { Commits } from "./group-commit.ts";
import { createRecordWriter } from "./journal.ts";
import { isOwnerDead } from "./owner.ts";

const COLUMNS = `id, pipeline, repo, created_at AS "createdAt", status, exit, reason, owner,
  lease_until AS "leaseUntil", fence`;

export type SqliteRunsDeps = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly world: World;
  readonly leaseMs: number;
};

export function createSqliteRuns({ db, file, commits, world, leaseMs }: SqliteRunsDeps): Host["runs"] {
  const one = db.prepare(`SELECT ${COLUMNS} FROM runs WHERE id = ?`);
  const all = db.prepare(`SELECT ${COLUMNS} FROM runs ORDER BY number DESC`);
  const some = db.prepare(`SELECT ${COLUMNS} FROM runs WHERE repo = ? ORDER BY number DESC`);
  const insert = db.prepare(
    "INSERT INTO runs (id, pipeline, repo, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
  );
  const take = db.prepare("UPDATE runs SET owner = ?, lease_until = ?, fence = ? WHERE id = ?");
  const extend = db.prepare("UPDATE runs SET lease_until = ? WHERE id = ? AND owner = ? AND fence = ?");
  const free = db.prepare("UPDATE runs SET owner = NULL, lease_until = NULL WHERE id = ? AND owner = ? AND fence = ?");
  const read = createStoreReader(file);
  const write = createRecordWriter(db);
  const get = (id: string) => toRunRow(one.get(id));

  return {
    create: ({ id, pipeline, repo }, first = []) =>
      commits.run(() => {
        if (insert.run(id, pipeline, repo, world.now()).changes === 0) throw createRunExistsError(id);
        write(first);
      }),
    get: async (id) => read(() => hideDeadOwner(get(id))),
    list: async (filter) => {
      const rows = read(() => (filter?.repo === undefined ? all.all() : some.all(filter.repo)));
      return rows.flatMap((row) => hideDeadOwner(toRunRow(row)) ?? []);
    },
    claim: (id, owner) =>
      commits.run((): LeaseResult => {
        const run = get(id);
        if (!run) throw createUnknownRunError(id);
        if (run.owner !== null && run.leaseUntil !== null && run.leaseUntil > world.now() && !isOwnerDead(run.owner)) {
          return { won: false, owner: run.owner, until: run.leaseUntil };
        }
        const fence = run.fence + 1;
        take.run(owner, world.now() + leaseMs, fence, id);
        return { won: true, lease: { run: id, owner, fence } };
      }),
    renew: ({ run, owner, fence }) =>
      commits.run(() => extend.run(world.now() + leaseMs, run, owner, fence).changes === 1),
    release: ({ run, owner, fence }) =>
      commits.run(() => {
        free.run(run, owner, fence);
      }),
  };
}

/** Reads a run's owner, to refuse stale claims. */
export function createOwnerReader(db: DatabaseSync): (run: string) => RunOwnership | undefined {
  const holder = db.prepare("SELECT owner, fence FROM runs WHERE id = ?");
  return (run) => holder.get(run) as RunOwnership | undefined; // the two columns are those of the type
}

/** Clears an owner that is proven gone, even if its lease has not lapsed yet. */
function hideDeadOwner(run: RunRow | undefined): RunRow | undefined {
  return run?.owner && isOwnerDead(run.owner) ? { ...run, owner: null, leaseUntil: null } : run;
}

function toRunRow(row: object | undefined): RunRow | undefined {
  return row && ({ ...row } as RunRow); // COLUMNS names exactly these, and the table is STRICT
}
