import type { Claim, ClaimResult, Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import type { JournalRecord } from "../../core/record.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { statusAfter } from "../../core/run-status.ts";
import { inboxOf, journalOf } from "../bells.ts";
import { earlierAnswer, QUESTION_TYPES, type QuestionRecord } from "../earlier-answer.ts";
import { embedded } from "../embedded.ts";
import { following, type Load } from "../following.ts";
import { refuseOutOfOrder, refuseStale, runExists, runUnknown } from "../refusal.ts";
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
      store.journal[id] = first.map((record) => JSON.stringify(record));
    },
    get: async (id) => store.runs[id] && { ...store.runs[id] },
    list: async (filter) =>
      Object.values(store.runs)
        .filter((run) => filter?.repo === undefined || run.repo === filter.repo)
        .map((run) => ({ ...run }))
        .reverse(),
    claim: async (id, owner): Promise<ClaimResult> => {
      const run = known(store, id);
      if (run.owner !== null && run.leaseUntil !== null && run.leaseUntil > world.now()) {
        return { won: false, owner: run.owner, until: run.leaseUntil };
      }
      Object.assign(run, { owner, leaseUntil: world.now() + leaseMs, fence: run.fence + 1 });
      return { won: true, claim: { run: id, owner, fence: run.fence } };
    },
    renew: async (claim) => {
      if (!holds(store, claim)) return false;
      known(store, claim.run).leaseUntil = world.now() + leaseMs;
      return true;
    },
    release: async (claim) => {
      if (holds(store, claim)) Object.assign(known(store, claim.run), { owner: null, leaseUntil: null });
    },
  };
}

function memoryJournal(store: MemoryStore, closed: AbortSignal): Host["journal"] {
  const load: Load = (run, { after, most = Number.POSITIVE_INFINITY }) =>
    (store.journal[run] ?? []).slice(after, after + most).map((text) => JSON.parse(text) as JournalRecord); // written below
  return {
    load: async (run, after = 0) => load(run, { after }),
    page: async (run, from) => load(run, from),
    append: async (claim, records) => {
      refuseStale(claim, store.runs[claim.run]);
      const texts = store.journal[claim.run] ?? [];
      refuseOutOfOrder(claim, texts.length, records);
      const added = records.map((record) => JSON.stringify(record));
      // The ledger is the only part that can refuse, so it goes first: nothing after it fails.
      if (records.some((record) => record.rows)) store.ledger().write(records);
      texts.push(...added);
      store.journal[claim.run] = texts;
      for (const record of records) Object.assign(known(store, claim.run), statusAfter(record));
      store.bells.ring(journalOf(claim.run));
    },
    follow: (run, after, signal) =>
      following({ bells: store.bells, load, run, after, signal: AbortSignal.any([signal, closed]) }),
  };
}

function memoryInbox({ store, world, closed }: Parts & { closed: AbortSignal }): Host["inbox"] {
  const looked = new Map<string, number>();
  const unread = (run: string) => store.letters.filter((letter) => letter.run === run && !letter.read);
  return {
    post: async (run, letter) => {
      known(store, run);
      const earlier = earlierAnswer(letter, { unread: unread(run), records: questionsIn(store, run) });
      if (earlier) return earlier;
      store.letters.push({
        id: store.letters.length + 1,
        run,
        at: world.now(),
        letter: redactDeep(letter, world.redact),
        read: false,
      });
      store.bells.ring(inboxOf(run));
      return undefined;
    },
    unread: async (run) => {
      const letters = unread(run);
      looked.set(run, Math.max(looked.get(run) ?? 0, ...letters.map((letter) => letter.id)));
      return letters.map(({ id, at, letter }) => ({ id, at, letter: structuredClone(letter) }));
    },
    read: async (claim, ids) => {
      refuseStale(claim, store.runs[claim.run]);
      for (const letter of unread(claim.run)) letter.read ||= ids.includes(letter.id);
    },
    changed: async (run, signal) => {
      const seen = store.bells.count(inboxOf(run));
      // Only what nobody here has looked at yet: a letter left unread must not wake its reader for ever.
      if (unread(run).some((letter) => letter.id > (looked.get(run) ?? 0))) return;
      await store.bells.after(inboxOf(run), seen, AbortSignal.any([signal, closed]));
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

function holds(store: MemoryStore, claim: Claim): boolean {
  const run = store.runs[claim.run];
  return run?.fence === claim.fence && run.owner === claim.owner;
}
