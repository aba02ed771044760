import type { DatabaseSync } from "node:sqlite";
import type { SignalboxError } from "../../core/failure/errors.ts";
import { isDatabaseLocked, isFatal, toStoreError } from "./failure.ts";
import { createLogExtender } from "./log-extender.ts";
import { createSameFileGuard } from "./same-file.ts";
import { createSchemaGuard } from "./schema.ts";

export type Commits = {
  /**
   * Runs the job in a transaction and resolves with its value once that is on disk. Jobs of one event-loop turn share a
   * commit; a job that throws is rolled back alone.
   */
  run<T>(job: () => T): Promise<T>;
  /** Commits all waiting jobs now. */
  drain(): void;
};

type Settle = () => void;
type PendingCommit = {
  /** Runs the job. The returned function is called once the commit is on disk. */
  attempt(): Settle;
  fail(error: unknown): void;
};

/** Each try already waits for SQLite's own busy timeout. */
const TRIES = 3;

export function createCommits(db: DatabaseSync, file: string): Commits {
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  const runInSavepoint = createSavepointRunner(db, file);
  const [needsSameFile, needsOwnSchema] = [createSameFileGuard(file), createSchemaGuard(db, file)];
  const makeRoom = createLogExtender(file);
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
      failBatch(batch, toStoreError(error, file));
    }
  };

  const failBatch = (batch: PendingCommit[], failure: unknown): void => {
    // The lock was refused before anything started, so the same jobs can be retried.
    if (isDatabaseLocked(failure) && !db.isTransaction && ++tries < TRIES) {
      waiting = [...batch, ...waiting];
      setImmediate(flush);
      return;
    }
    tries = 0;
    // A failed write may or may not be on disk, and a retry could report a wrong success: stop writing for good.
    if (isFatal(failure)) failed = failure;
    if (db.isTransaction) rollBack(db);
    for (const one of batch) one.fail(failure);
  };

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const attemptJob = (): Settle => {
          const done = runInSavepoint(job);
          return () => (done.ok ? resolve(done.value) : reject(done.error));
        };
        waiting.push({ attempt: attemptJob, fail: reject });
        // Not a microtask, so that other callers woken in this turn join the same commit.
        if (waiting.length === 1) setImmediate(flush);
      }),
    drain: () => {
      while (waiting.length > 0) flush();
    },
  };
}

type JobResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function createSavepointRunner(db: DatabaseSync, file: string): <T>(job: () => T) => JobResult<T> {
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
      const failure = toStoreError(error, file);
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
    // The disk has already failed, and the callers get that error.
  }
}
