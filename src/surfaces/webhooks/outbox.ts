import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Notice } from "./notice.ts";

/** One notice for one receiver, until it is delivered or given up. */
export type NoticeDelivery = {
  readonly run: string;
  readonly seq: number;
  readonly target: string;
  readonly notice: Notice;
  readonly attempts: number;
  readonly dueAt: number;
  readonly fence: number;
  /** Another live sender is sending it. */
  readonly held: boolean;
};

export type DeliveryResult = { readonly state: "sent" | "failed"; readonly says: string };
export type DeliveryCounts = { readonly open: number; readonly sent: number; readonly failed: number };

/**
 * Stores notices to be sent, next to the journal they come from.
 *
 * Contract:
 * - One delivery exists per run, record and receiver, however often it is posted.
 * - A receiver does not get notices that are older than its configuration.
 * - At most one sender has a delivery: each claim has a higher fence than all before it, and only its holder settles
 *   it. A claim expires when its holder is proven dead or silent for a minute.
 * - A settled delivery is never sent again.
 */
export type Outbox = {
  /** Registers an engine of the run. If it dies, the next process posts its unposted notices. */
  follow(run: string): void;
  unfollow(run: string): void;
  /** Returns runs whose engine died without unregistering. */
  abandoned(): readonly string[];
  /** Registers receivers, and posts the notices that are not older than their receiver. */
  post(notices: readonly Notice[], targets: readonly NoticeTarget[]): number;
  open(): readonly NoticeDelivery[];
  /** Returns undefined if another sender has claimed it. */
  claim(delivery: NoticeDelivery): NoticeDelivery | undefined;
  settle(delivery: NoticeDelivery, end: DeliveryResult): void;
  /** Returns the delivery to the outbox until `dueAt`. */
  postpone(delivery: NoticeDelivery, dueAt: number, says: string): void;
  counts(): DeliveryCounts;
  failures(): readonly { readonly target: string; readonly says: string }[];
  /** Registers this process as the sender. Returns false if another live sender exists. */
  enter(): boolean;
  /** Returns false if this sender was considered dead, or the repository is gone. */
  stay(): boolean;
  /** Unregisters the sender, unless a delivery for it has arrived. A later post then finds no sender and starts one. */
  leave(isFor: (delivery: NoticeDelivery) => boolean): boolean;
  hasSender(): boolean;
  close(): void;
};

export type NoticeTarget = { readonly id: string; wants(notice: Notice): boolean };

export type OutboxOptions = {
  readonly file: string;
  readonly owner: string;
  now(): number;
  isDead(owner: string): boolean;
};

const BUSY_MS = 5_000;
const LEASE_MS = 60_000;
/** Settled deliveries are retained as long as they could be posted again. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS followed (run TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (run, owner)) STRICT;
CREATE TABLE IF NOT EXISTS targets (id TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS senders (only INTEGER PRIMARY KEY CHECK (only = 1), owner TEXT NOT NULL, lease_until INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS letters (
  run TEXT NOT NULL, seq INTEGER NOT NULL, target TEXT NOT NULL,
  notice TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  fence INTEGER NOT NULL DEFAULT 0,
  owner TEXT, lease_until INTEGER,
  says TEXT,
  PRIMARY KEY (run, seq, target)
) STRICT;
CREATE INDEX IF NOT EXISTS letters_open ON letters (due_at) WHERE state = 'open';
`;

export function openOutbox({ file, owner, now, isDead }: OutboxOptions): Outbox {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  db.exec(SCHEMA);
  const transact = <T>(work: () => T): T => runInTransaction(db, work);
  const of = '("run", "seq", "target") = (?, ?, ?)';
  const openOnes = db.prepare(
    `SELECT run, seq, target, notice, attempts, due_at, fence, owner, lease_until FROM letters WHERE state = 'open' ORDER BY due_at, run, seq`,
  );
  const isAlive = (who: unknown, until: unknown): boolean =>
    typeof who === "string" && Number(until) > now() && !isDead(who);
  const open = (): NoticeDelivery[] =>
    openOnes.all().map((row) => ({
      run: String(row["run"]),
      seq: Number(row["seq"]),
      target: String(row["target"]),
      notice: JSON.parse(String(row["notice"])) as Notice, // only `post` writes it
      attempts: Number(row["attempts"]),
      dueAt: Number(row["due_at"]),
      fence: Number(row["fence"]),
      held: isAlive(row["owner"], row["lease_until"]),
    }));
  const sender = () => db.prepare("SELECT owner, lease_until FROM senders").get();
  const isOther = (row: ReturnType<typeof sender>): boolean =>
    row !== undefined && row["owner"] !== owner && isAlive(row["owner"], row["lease_until"]);
  const updateClaimed = (delivery: NoticeDelivery, change: string, values: readonly (string | number)[]) =>
    db
      .prepare(`UPDATE letters SET ${change}, owner = NULL, lease_until = NULL WHERE ${of} AND fence = ?`)
      .run(...values, delivery.run, delivery.seq, delivery.target, delivery.fence);

  return {
    follow: (run) => transact(() => void db.prepare("INSERT OR IGNORE INTO followed VALUES (?, ?)").run(run, owner)),
    unfollow: (run) =>
      transact(() => {
        for (const row of db.prepare("SELECT owner FROM followed WHERE run = ?").all(run)) {
          const whose = String(row["owner"]);
          if (whose === owner || isDead(whose))
            db.prepare("DELETE FROM followed WHERE run = ? AND owner = ?").run(run, whose);
        }
      }),
    abandoned: () => {
      const rows = db.prepare("SELECT run, owner FROM followed").all();
      return [...new Set(rows.filter((row) => isDead(String(row["owner"]))).map((row) => String(row["run"])))];
    },
    post: (notices, targets) => transact(() => postAll(db, { notices, targets, now: now() })),
    open,
    claim: (delivery) =>
      transact(() => {
        const { run, seq, target, fence, attempts } = delivery;
        const claimed = db
          .prepare(
            `UPDATE letters SET fence = fence + 1, attempts = attempts + 1, owner = ?, lease_until = ? WHERE ${of} AND fence = ? AND state = 'open'`,
          )
          .run(owner, now() + LEASE_MS, run, seq, target, fence);
        return claimed.changes === 1
          ? { ...delivery, fence: fence + 1, attempts: attempts + 1, held: true }
          : undefined;
      }),
    settle: (delivery, { state, says }) =>
      transact(() => void updateClaimed(delivery, "state = ?, says = ?", [state, says])),
    postpone: (delivery, dueAt, says) =>
      transact(() => void updateClaimed(delivery, "due_at = ?, says = ?", [dueAt, says])),
    counts: () => {
      const rows = db.prepare("SELECT state, COUNT(*) AS count FROM letters GROUP BY state").all();
      const count = (state: string) => Number(rows.find((row) => row["state"] === state)?.["count"] ?? 0);
      return { open: count("open"), sent: count("sent"), failed: count("failed") };
    },
    failures: () =>
      db
        .prepare("SELECT target, says FROM letters WHERE state = 'failed' ORDER BY due_at DESC LIMIT 20")
        .all()
        .map((row) => ({ target: String(row["target"]), says: String(row["says"]) })),
    enter: () =>
      transact(() => {
        if (isOther(sender())) return false;
        db.prepare("INSERT OR REPLACE INTO senders VALUES (1, ?, ?)").run(owner, now() + LEASE_MS);
        return true;
      }),
    stay: () =>
      existsSync(file) &&
      transact(() => db.prepare("UPDATE senders SET lease_until = ? WHERE owner = ?").run(now() + LEASE_MS, owner))
        .changes === 1,
    leave: (isFor) =>
      transact(() => {
        if (open().some(isFor)) return false;
        db.prepare("DELETE FROM senders WHERE owner = ?").run(owner);
        return true;
      }),
    hasSender: () => {
      const row = sender();
      return row !== undefined && isAlive(row["owner"], row["lease_until"]);
    },
    close: () => db.close(),
  };
}

type PostRequest = {
  readonly notices: readonly Notice[];
  readonly targets: readonly NoticeTarget[];
  readonly now: number;
};

function postAll(db: DatabaseSync, { notices, targets, now }: PostRequest): number {
  const insert = db.prepare(
    "INSERT INTO letters (run, seq, target, notice, due_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
  );
  let posted = 0;
  for (const target of targets) {
    db.prepare("INSERT OR IGNORE INTO targets VALUES (?, ?)").run(target.id, now);
    const since = Number(db.prepare("SELECT since FROM targets WHERE id = ?").get(target.id)?.["since"]);
    for (const notice of notices) {
      if (notice.at < since || !target.wants(notice)) continue;
      posted += Number(insert.run(notice.run, notice.seq, target.id, JSON.stringify(notice), now).changes);
    }
  }
  return posted;
}

function runInTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const done = work();
    db.exec("COMMIT");
    return done;
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}
