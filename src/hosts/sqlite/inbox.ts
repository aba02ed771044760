import type { DatabaseSync } from "node:sqlite";
import type { Host, PostedSignal } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { findEarlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../earlier-answer.ts";
import { createUnknownRunError, refuseStale } from "../errors.ts";
import { formatInboxTopic, type Notifier } from "../notifier.ts";
import { parseSignal } from "../parse-signal.ts";
import { createStoreReader } from "./failure.ts";
import type { Commits } from "./group-commit.ts";
import { parseFact } from "./journal.ts";
import { createOwnerReader } from "./runs.ts";

export type SqliteInboxDeps = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly notifier: Notifier;
  readonly world: World;
  readonly closed: AbortSignal;
};

export function createSqliteInbox({ db, file, commits, notifier, world, closed }: SqliteInboxDeps): Host["inbox"] {
  const holder = createOwnerReader(db);
  const insert = db.prepare("INSERT INTO inbox (run, at, letter) VALUES (?, ?, ?)");
  const select = db.prepare("SELECT id, at, letter FROM inbox WHERE run = ? AND read_at IS NULL ORDER BY id");
  const newer = db.prepare("SELECT 1 FROM inbox WHERE run = ? AND read_at IS NULL AND id > ? LIMIT 1");
  const mark = db.prepare("UPDATE inbox SET read_at = ? WHERE id = ? AND run = ? AND read_at IS NULL");
  const questions = createQuestionReader(db);
  const read = createStoreReader(file);
  const looked = new Map<string, number>();

  return {
    post: async (run, signal) => {
      const earlier = await commits.run(() => {
        if (!holder(run)) throw createUnknownRunError(run);
        const answered = findEarlierAnswer(signal, {
          unread: select.all(run).map(toPostedSignal),
          records: questions(run),
        });
        if (!answered) insert.run(run, world.now(), JSON.stringify(redactDeep(signal, world.redact)));
        return answered;
      });
      if (!earlier) notifier.ring(formatInboxTopic(run));
      return earlier;
    },
    unread: async (run) => {
      const letters = read(() => select.all(run)).map(toPostedSignal);
      looked.set(run, Math.max(looked.get(run) ?? 0, ...letters.map((letter) => letter.id)));
      return letters;
    },
    read: (lease, ids) =>
      commits.run(() => {
        refuseStale(lease, holder(lease.run));
        for (const id of ids) mark.run(world.now(), id, lease.run);
      }),
    changed: async (run, signal) => {
      const either = AbortSignal.any([signal, closed]);
      if (either.aborted) return;
      let known = notifier.count(formatInboxTopic(run));
      // Changes by other processes ring every topic, so check for a signal that this handle has not returned yet.
      while (!either.aborted && !read(() => newer.get(run, looked.get(run) ?? 0))) {
        await notifier.after(formatInboxTopic(run), known, either);
        known = notifier.count(formatInboxTopic(run));
      }
    },
  };
}

function createQuestionReader(db: DatabaseSync): (run: string) => readonly QuestionRecord[] {
  const types = QUESTION_TYPES.map((type) => `'${type}'`).join(", ");
  const select = db.prepare(`SELECT seq, ts, fact FROM journal WHERE run = ? AND type IN (${types}) ORDER BY seq`);
  return (run) =>
    select.all(run).map(({ seq, ts, fact }) => {
      // `append` wrote it, and the query selects by type.
      return { ...parseFact(run, Number(seq), String(fact)), ts: Number(ts) } as QuestionRecord;
    });
}

function toPostedSignal(row: Record<string, unknown>): PostedSignal {
  return { id: Number(row["id"]), at: Number(row["at"]), letter: parseSignal(String(row["letter"])) };
}
