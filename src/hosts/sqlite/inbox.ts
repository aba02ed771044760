import type { DatabaseSync } from "node:sqlite";
import type { Host, Letter, Posted } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { type Bells, inboxOf } from "../bells.ts";
import { earlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../earlier-answer.ts";
import { refuseStale, runUnknown } from "../refusal.ts";
import type { Commits } from "./commits.ts";
import { readFrom } from "./failure.ts";
import { factOf } from "./journal.ts";
import { holderOf } from "./runs.ts";

export type InboxParts = {
  readonly db: DatabaseSync;
  readonly file: string;
  readonly commits: Commits;
  readonly bells: Bells;
  readonly world: World;
  readonly closed: AbortSignal;
};

export function sqliteInbox({ db, file, commits, bells, world, closed }: InboxParts): Host["inbox"] {
  const holder = holderOf(db);
  const insert = db.prepare("INSERT INTO inbox (run, at, letter) VALUES (?, ?, ?)");
  const select = db.prepare("SELECT id, at, letter FROM inbox WHERE run = ? AND read_at IS NULL ORDER BY id");
  const newer = db.prepare("SELECT 1 FROM inbox WHERE run = ? AND read_at IS NULL AND id > ? LIMIT 1");
  const mark = db.prepare("UPDATE inbox SET read_at = ? WHERE id = ? AND run = ? AND read_at IS NULL");
  const questions = questionsOf(db);
  const read = readFrom(file);
  const looked = new Map<string, number>();

  return {
    post: async (run, letter) => {
      const earlier = await commits.run(() => {
        if (!holder(run)) throw runUnknown(run);
        const answered = earlierAnswer(letter, { unread: select.all(run).map(posted), records: questions(run) });
        if (!answered) insert.run(run, world.now(), JSON.stringify(redactDeep(letter, world.redact)));
        return answered;
      });
      if (!earlier) bells.ring(inboxOf(run));
      return earlier;
    },
    unread: async (run) => {
      const letters = read(() => select.all(run)).map(posted);
      looked.set(run, Math.max(looked.get(run) ?? 0, ...letters.map((letter) => letter.id)));
      return letters;
    },
    read: (claim, ids) =>
      commits.run(() => {
        refuseStale(claim, holder(claim.run));
        for (const id of ids) mark.run(world.now(), id, claim.run);
      }),
    changed: async (run, signal) => {
      const either = AbortSignal.any([signal, closed]);
      if (either.aborted) return;
      let known = bells.count(inboxOf(run));
      // A change elsewhere rings for everything, so look whether it was a letter that nobody here has seen yet.
      while (!either.aborted && !read(() => newer.get(run, looked.get(run) ?? 0))) {
        await bells.after(inboxOf(run), known, either);
        known = bells.count(inboxOf(run));
      }
    },
  };
}

function questionsOf(db: DatabaseSync): (run: string) => readonly QuestionRecord[] {
  const types = QUESTION_TYPES.map((type) => `'${type}'`).join(", ");
  const select = db.prepare(`SELECT seq, ts, fact FROM journal WHERE run = ? AND type IN (${types}) ORDER BY seq`);
  return (run) =>
    select.all(run).map(({ seq, ts, fact }) => {
      // As `append` wrote it; its type is the column that was asked for.
      return { ...factOf(run, Number(seq), String(fact)), ts: Number(ts) } as QuestionRecord;
    });
}

function posted(row: Record<string, unknown>): Posted {
  const letter = JSON.parse(String(row["letter"])) as Letter; // only `post` writes letters
  return { id: Number(row["id"]), at: Number(row["at"]), letter };
}
