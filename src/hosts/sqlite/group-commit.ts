import type { DatabaseSync } from "node:sqlite";
import type { SignalboxError } from "../../core/failure/errors.ts";
import { isFatal, isLocked, storeFailure } from "./failure.ts";
import { roomInLog } from "./log-room.ts";
import { sameFileGuard } from "./same-file.ts";
import { schemaGuard } from "./schema.ts";

export type Commits = {
  /**
   * Does the job in a transaction and resolves with its value once that is on the disk. Jobs of one turn of
   * the event loop share a commit; one that throws is undone alone.
   */
  run<T>(job: () => T): Promise<T>;
  /** Commits what is waiting, now. */
  drain(): void;
};

type Settle = () => void;
type PendingCommit = {
  /** Does the job; what it returns is called once the commit is on the disk. */
  attempt(): Settle;
  fail(error: unknown): void;
};

/** Each try already waits SQLite's own busy timeout. */
const TRIES = 3;

export function createCommits(db: DatabaseSync, file: string): Commits {
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  const apart = savepoints(db, file);
  const [needsSameFile, needsOwnSchema] = [sameFileGuard(file), schemaGuard(db, file)];
  const makeRoom = roomInLog(file);
  needsSameFile();
  let waiting: PendingCommit[] = [];
  let tries = 0;
  let failed: SignalboxError | undefined;

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      if (failed) throw failed;
      needsSameFile();
      begin.run();
      tries = 0;
      needsOwnSchema();
      const settles = batch.map((one) => one.attempt());
      needsSameFile();
      makeRoom();
      commit.run();
      for (const settle of settles) settle();
    } catch (error) {
      giveUp(batch, storeFailure(error, file));
    }
  };

  const giveUp = (batch: PendingCommit[], failure: unknown): void => {
    // Locked out before anything began, so the same jobs can simply be tried again.
    if (isLocked(failure) && !db.isTransaction && ++tries < TRIES) {
      waiting = [...batch, ...waiting];
      setImmediate(flush);
      return;
    }
    tries = 0;
    // A failed write may or may not have reached the disk, and a second try can lie about it: never again.
    if (isFatal(failure)) failed = failure;
    if (db.isTransaction) rollBack(db);
    for (const one of batch) one.fail(failure);
  };

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const attempt = (): Settle => {
          const done = apart(job);
          return () => (done.ok ? resolve(done.value) : reject(done.error));
        };
        waiting.push({ attempt, fail: reject });
        // Not a microtask: whoever else was woken in this turn gets into the same commit.
        if (waiting.length === 1) setImmediate(flush);
      }),
    drain: () => {
      while (waiting.length > 0) flush();
    },
  };
}

type JobResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function savepoints(db: DatabaseSync, file: string): <T>(job: () => T) => JobResult<T> {
  const save = db.prepare("SAVEPOINT job");
  const release = db.prepare("RELEASE job");
  const undo = db.prepare("ROLLBACK TO job");
  return (job) => {
    save.run();
    try {
      const value = job();
      release.run();
      return { ok: true, value };
    } catch (error) {
      const failure = storeFailure(error, file);
      if (isFatal(failure)) throw failure;
      undo.run();
      release.run();
      return { ok: false, error: failure };
    }
  };
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // The disk has failed already; that is what the callers are told.
  }
}
