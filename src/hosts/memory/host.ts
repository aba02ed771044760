import type { JournalRecord } from "../../core/journal/record.ts";
import { getStatusAfter } from "../../core/journal/run-status.ts";
import type { Host, Lease, LeaseResult } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { findEarlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../earlier-answer.ts";
import { createEmbeddedExecution } from "../embedded-execution.ts";
import { createRunExistsError, createUnknownRunError, refuseOutOfOrder, refuseStale } from "../errors.ts";
import { followRecords, type LoadRecords } from "../follow-journal.ts";
import { formatInboxTopic, formatJournalTopic } from "../notifier.ts";
import { createMemoryStore, type MemoryRun, type MemoryStore } from "./store.ts";

const LEASE_MS = 30_000;

export type MemoryHostOptions = {
  readonly world: World;
  readonly leaseMs?: number;
  /** Handles on the same store see each other, like processes on one database. */
  readonly store?: MemoryStore;
};

/** In-memory twin of the SQLite host, for tests, simulation and demos. */
export function createMemoryHost({ world, leaseMs = LEASE_MS, store = createMemoryStore() }: MemoryHostOptions): Host {
  const closing = new AbortController();
  return {
    name: "memory",
    interruptions: 1,
    leaseMs,
    ...createEmbeddedExecution(),
    runs: createMemoryRuns({ store, world, leaseMs }),
    journal: createMemoryJournal(store, closing.signal),
    inbox: createMemoryInbox({ store, world, closed: closing.signal }),
    ledger: {
      ask: async (sql, params) => store.ledger().ask(sql, params),
      rows: async (run) => store.ledger().rows(run),
    },
    blobs: {
      put: async (text) => {
        const digest = world.hash(text);
        store.blobs[digest] = text;
        return digest;
      },
      get: async (digest) => store.blobs[digest],
    },
    close: async () => closing.abort(),
  };
}

type MemoryDeps = { readonly store: MemoryStore; readonly world: World };

function createMemoryRuns({ store, world, leaseMs }: MemoryDeps & { leaseMs: number }): Host["runs"] {
  return {
    create: async ({ id, pipeline, repo }, first = []) => {
      if (store.runs[id]) throw createRunExistsError(id);
      const free = { owner: null, leaseUntil: null, fence: 0 };
      store.runs[id] = {
        id,
        pipeline,
        repo,
        createdAt: world.now(),
        status: "running",
        exit: null,
        reason: null,
        ...free,
      };
      if (first.some((record) => record.rows)) store.ledger().write(first);
      store.journal[id] = first.map((record) => JSON.stringify(record));
    },
    get: async (id) => store.runs[id] && { ...store.runs[id] },
    list: async (filter) =>
      Object.values(store.runs)
        .filter((run) => filter?.repo === undefined || run.repo === filter.repo)
        .map((run) => ({ ...run }))
        .reverse(),
    claim: async (id, owner): Promise<LeaseResult> => {
      const run = requireRun(store, id);
      if (run.owner !== null && run.leaseUntil !== null && run.leaseUntil > world.now()) {
        return { won: false, owner: run.owner, until: run.leaseUntil };
      }
      Object.assign(run, { owner, leaseUntil: world.now() + leaseMs, fence: run.fence + 1 });
      return { won: true, lease: { run: id, owner, fence: run.fence } };
    },
    renew: async (lease) => {
      if (!isCurrentLease(store, lease)) return false;
      requireRun(store, lease.run).leaseUntil = world.now() + leaseMs;
      return true;
    },
    release: async (lease) => {
      if (isCurrentLease(store, lease)) Object.assign(requireRun(store, lease.run), { owner: null, leaseUntil: null });
    },
  };
}

function createMemoryJournal(store: MemoryStore, closed: AbortSignal): Host["journal"] {
  const load: LoadRecords = (run, { after, most = Number.POSITIVE_INFINITY }) =>
    (store.journal[run] ?? []).slice(after, after + most).map((text) => JSON.parse(text) as JournalRecord); // written below
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (lease, records) => {
      refuseStale(lease, store.runs[lease.run]);
      const texts = store.journal[lease.run] ?? [];
      refuseOutOfOrder(lease, texts.length, records);
      const added = records.map((record) => JSON.stringify(record));
      // Writing the ledger is the only step that can fail, so it comes first.
      if (records.some((record) => record.rows)) store.ledger().write(records);
      texts.push(...added);
      store.journal[lease.run] = texts;
      for (const record of records) Object.assign(requireRun(store, lease.run), getStatusAfter(record));
      store.notifier.ring(formatJournalTopic(lease.run));
    },
    follow: (run, after, signal) =>
      followRecords({ notifier: store.notifier, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function createMemoryInbox({ store, world, closed }: MemoryDeps & { closed: AbortSignal }): Host["inbox"] {
  const looked = new Map<string, number>();
  const listUnread = (run: string) => store.letters.filter((letter) => letter.run === run && !letter.read);
  return {
    post: async (run, signal) => {
      requireRun(store, run);
      const earlier = findEarlierAnswer(signal, { unread: listUnread(run), records: listQuestionRecords(store, run) });
      if (earlier) return earlier;
      store.letters.push({
        id: store.letters.length + 1,
        run,
        at: world.now(),
        letter: redactDeep(signal, world.redact),
        read: false,
      });
      store.notifier.ring(formatInboxTopic(run));
      return undefined;
    },
    unread: async (run) => {
      const letters = listUnread(run);
      looked.set(run, Math.max(looked.get(run) ?? 0, ...letters.map((letter) => letter.id)));
      return letters.map(({ id, at, letter: signal }) => ({ id, at, letter: structuredClone(signal) }));
    },
    read: async (lease, ids) => {
      refuseStale(lease, store.runs[lease.run]);
      for (const letter of listUnread(lease.run)) letter.read ||= ids.includes(letter.id);
    },
    changed: async (run, signal) => {
      const seen = store.notifier.count(formatInboxTopic(run));
      // Ignores signals that were already returned, so that one left unread does not wake its reader for ever.
      if (listUnread(run).some((letter) => letter.id > (looked.get(run) ?? 0))) return;
      await store.notifier.after(formatInboxTopic(run), seen, AbortSignal.any([signal, closed]));
    },
  };
}

function listQuestionRecords(store: MemoryStore, run: string): readonly QuestionRecord[] {
  const texts = (store.journal[run] ?? []).filter((text) => QUESTION_TYPES.some((type) => text.includes(type)));
  const records = texts.map((text) => JSON.parse(text) as JournalRecord); // only `append` and `create` write these
  return records.filter((record): record is QuestionRecord => QUESTION_TYPES.some((type) => record.type === type));
}

function requireRun(store: MemoryStore, id: string): MemoryRun {
  const run = store.runs[id];
  if (!run) throw createUnknownRunError(id);
  return run;
}

function isCurrentLease(store: MemoryStore, lease: Lease): boolean {
  const run = store.runs[lease.run];
  return run?.fence === lease.fence && run.owner === lease.owner;
}
