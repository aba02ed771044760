import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Host, PostedSignal } from "../../../core/ports/host.ts";
import type { World } from "../../../core/ports/world.ts";
import { redactDeep } from "../../../core/text/redact-deep.ts";
import { findEarlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../../earlier-answer.ts";
import { createUnknownRunError, type RunOwnership, refuseStale } from "../../errors.ts";
import { formatInboxTopic } from "../../notifier.ts";
import { parseSignal } from "../../parse-signal.ts";
import { SIGNALS_TOPIC } from "../waker.ts";
import type { Database, Query } from "./database.ts";
import type { Notices } from "./listen-notify.ts";

export type PostgresInboxDeps = {
  readonly database: Database;
  readonly notices: Notices;
  readonly world: World;
  /** Fires when the host closes. */
  readonly closing: AbortSignal;
  /** Replaces a signal by the form in which it counts here, after checking its sender's role. */
  readonly heeded?: ((posted: PostedSignal) => PostedSignal) | undefined;
};

/** A repeated post would find the signal that it stored itself and report it as an earlier answer. */
const ONCE = { once: true } as const;

export function createPostgresInbox({ database, notices, world, closing, heeded }: PostgresInboxDeps): Host["inbox"] {
  // The newest signal that this handle has returned per run. Only newer ones count as a change.
  const seen = new Map<string, number>();
  return {
    async post(run, signal) {
      return database.transaction(async (query) => {
        // The lock also orders the signals of a run: a lower id never appears after a higher one.
        const [locked] = await query<{ known: boolean }>("SELECT lock_run($1) AS known", [run]);
        if (!locked?.known) throw createUnknownRunError(run);
        const unread = await selectUnread(query, run);
        const earlier = findEarlierAnswer(signal, {
          unread: heeded ? unread.map(heeded) : unread,
          records: await selectQuestions(query, run),
        });
        if (earlier) return earlier;
        const text = JSON.stringify(redactDeep(signal, world.redact));
        await query("INSERT INTO inbox (run, at, letter) VALUES ($1, now_ms(), $2)", [run, text]);
        await notices.post(query, formatInboxTopic(run));
        await notices.post(query, SIGNALS_TOPIC);
        return undefined;
      }, ONCE);
    },
    async unread(run) {
      const letters = await selectUnread(database.query, run);
      // Signals beyond the limit of one read count as seen, too.
      const latest = letters.length < MOST_OF_A_ROLE ? 0 : await selectNewest(database.query, run);
      seen.set(run, Math.max(seen.get(run) ?? 0, letters.at(-1)?.id ?? 0, latest));
      return letters;
    },
    async read(lease, ids) {
      await database.transaction(async (query) => {
        const [held] = await query<RunOwnership>("SELECT owner, fence FROM runs WHERE id = $1 FOR UPDATE", [lease.run]);
        refuseStale(lease, held);
        await query(
          "UPDATE inbox SET read_at = now_ms() WHERE run = $1 AND id = ANY($2::bigint[]) AND read_at IS NULL",
          [lease.run, ids],
        );
      });
    },
    async changed(run, signal) {
      const ended = AbortSignal.any([signal, closing]);
      while (!ended.aborted) {
        await notices.listening();
        const rung = notices.notifier.count(formatInboxTopic(run));
        // Compares with the newest seen id, so that a signal left unread does not wake its reader for ever. A failed
        // check is repeated soon.
        const latest = ended.aborted ? 0 : await selectNewest(database.query, run).catch(() => 0);
        if (latest > (seen.get(run) ?? 0)) return;
        await notices.notifier.after(formatInboxTopic(run), rung, ended);
      }
    },
  };
}

/** Limits for rows from before the database enforced them: signals per role, and bytes per signal. */
const MOST_OF_A_ROLE = 100;
const LONGEST = 262_144;

/** A signal that is too long is read as an empty text, which the run's owner drops. */
const UNREAD = `
  SELECT id, at, role, CASE WHEN octet_length(letter) <= $2 THEN letter ELSE '' END AS letter FROM (
    SELECT id, at, letter, role, row_number() OVER (PARTITION BY role ORDER BY id) AS place
    FROM inbox WHERE run = $1 AND read_at IS NULL
  ) AS unread WHERE place <= $3 ORDER BY id`;

async function selectUnread(query: Query, run: string): Promise<readonly PostedSignal[]> {
  const rows = await query<{ id: number; at: number; letter: string; role: string | null }>(UNREAD, [
    run,
    LONGEST,
    MOST_OF_A_ROLE,
  ]);
  return rows.map(
    ({ id, at, letter, role }): PostedSignal => ({
      id,
      at,
      ...(role === null ? { letter: parseSignal(letter) } : { letter: parseSignal(letter, role), role }),
    }),
  );
}

async function selectQuestions(query: Query, run: string): Promise<readonly QuestionRecord[]> {
  const rows = await query<{ record: string }>(
    "SELECT record FROM journal WHERE run = $1 AND (record LIKE $2 OR record LIKE $3) ORDER BY seq",
    [run, '%"type":"approval.%', '%"type":"run.finished"%'],
  );
  const records = rows.map(({ record }) => JSON.parse(record) as JournalRecord); // only `append` writes these
  return records.filter((record): record is QuestionRecord => QUESTION_TYPES.some((type) => record.type === type));
}

async function selectNewest(query: Query, run: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    "SELECT coalesce(max(id), 0) AS id FROM inbox WHERE run = $1 AND read_at IS NULL",
    [run],
  );
  return row?.id ?? 0;
}
