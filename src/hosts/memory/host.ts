import type { JournalRecord } from "../../core/journal/record.ts";
import { statusAfter } from "../../core/journal/run-status.ts";
import type { Host, Lease, LeaseResult } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { earlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../earlier-answer.ts";
import { embedded } from "../embedded.ts";
import { refuseOutOfOrder, refuseStale, runExists, runUnknown } from "../errors.ts";
import { following, type Load } from "../follow-journal.ts";
import { inboxOf, journalOf } from "../notifier.ts";
import { type MemoryStore, memoryStore, type StoredRun } from "./store.ts";

const LEASE_MS = 30_000;

export type MemoryHostOptions = {
  readonly world: World;
  readonly leaseMs?: number;
  /** Handles on one store see each other, as processes on one database do. */
  readonly store?: MemoryStore;
};

/** The twin of the embedded host without a disk: for tests, simulation and demos. */
export function memoryHost({ world, leaseMs = LEASE_MS, store = memoryStore() }: MemoryHostOptions): Host {
  const closing = new AbortController();
  return {
    name: "memory",
    interruptions: 1,
    leaseMs,
    ...embedded(),
    runs: memoryRuns({ store, world, leaseMs }),
    journal: memoryJournal(store, closing.signal),
    inbox: memoryInbox({ store, world, closed: closing.signal }),
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

type Parts = { readonly store: MemoryStore; readonly world: World };

function memoryRuns({ store, world, leaseMs }: Parts & { leaseMs: number }): Host["runs"] {
  return {
    create: async ({ id, pipeline, repo }, first = []) => {
      if (store.runs[id]) throw runExists(id);
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
      const run = known(store, id);
      if (run.owner !== null && run.leaseUntil !== null && run.leaseUntil > world.now()) {
        return { won: false, owner: run.owner, until: run.leaseUntil };
      }
      Object.assign(run, { owner, leaseUntil: world.now() + leaseMs, fence: run.fence + 1 });
      return { won: true, lease: { run: id, owner, fence: run.fence } };
    },
    renew: async (lease) => {
      if (!holds(store, lease)) return false;
      known(store, lease.run).leaseUntil = world.now() + leaseMs;
      return true;
    },
    release: async (lease) => {
      if (holds(store, lease)) Object.assign(known(store, lease.run), { owner: null, leaseUntil: null });
    },
  };
}

function memoryJournal(store: MemoryStore, closed: AbortSignal): Host["journal"] {
  const load: Load = (run, { after, most = Number.POSITIVE_INFINITY }) =>
    (store.journal[run] ?? []).slice(after, after + most).map((text) => JSON.parse(text) as JournalRecord); // written below
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (lease, records) => {
      refuseStale(lease, store.runs[lease.run]);
      const texts = store.journal[lease.run] ?? [];
      refuseOutOfOrder(lease, texts.length, records);
      const added = records.map((record) => JSON.stringify(record));
      // The ledger is the only part that can refuse, so it goes first: nothing after it fails.
      if (records.some((record) => record.rows)) store.ledger().write(records);
      texts.push(...added);
      store.journal[lease.run] = texts;
      for (const record of records) Object.assign(known(store, lease.run), statusAfter(record));
      store.notifier.ring(journalOf(lease.run));
    },
    follow: (run, after, signal) =>
      following({ notifier: store.notifier, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function memoryInbox({ store, world, closed }: Parts & { closed: AbortSignal }): Host["inbox"] {
  const looked = new Map<string, number>();
  const unread = (run: string) => store.letters.filter((letter) => letter.run === run && !letter.read);
  return {
    post: async (run, signal) => {
      known(store, run);
      const earlier = earlierAnswer(signal, { unread: unread(run), records: questionsIn(store, run) });
      if (earlier) return earlier;
      store.letters.push({
        id: store.letters.length + 1,
        run,
        at: world.now(),
        letter: redactDeep(signal, world.redact),
        read: false,
      });
      store.notifier.ring(inboxOf(run));
      return undefined;
    },
    unread: async (run) => {
      const letters = unread(run);
      looked.set(run, Math.max(looked.get(run) ?? 0, ...letters.map((letter) => letter.id)));
      return letters.map(({ id, at, letter: signal }) => ({ id, at, letter: structuredClone(signal) }));
    },
    read: async (lease, ids) => {
      refuseStale(lease, store.runs[lease.run]);
      for (const letter of unread(lease.run)) letter.read ||= ids.includes(letter.id);
    },
    changed: async (run, signal) => {
      const seen = store.notifier.count(inboxOf(run));
      // Only what nobody here has looked at yet: a letter left unread must not wake its reader for ever.
      if (unread(run).some((letter) => letter.id > (looked.get(run) ?? 0))) return;
      await store.notifier.after(inboxOf(run), seen, AbortSignal.any([signal, closed]));
    },
  };
}

function questionsIn(store: MemoryStore, run: string): readonly QuestionRecord[] {
  const texts = (store.journal[run] ?? []).filter((text) => QUESTION_TYPES.some((type) => text.includes(type)));
  const records = texts.map((text) => JSON.parse(text) as JournalRecord); // only `append` and `create` wrote these
  return records.filter((record): record is QuestionRecord => QUESTION_TYPES.some((type) => record.type === type));
}

function known(store: MemoryStore, id: string): StoredRun {
  const run = store.runs[id];
  if (!run) throw runUnknown(id);
  return run;
}

function holds(store: MemoryStore, lease: Lease): boolean {
  const run = store.runs[lease.run];
  return run?.fence === lease.fence && run.owner === lease.owner;
}
