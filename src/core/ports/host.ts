import type { Limits } from "../budget/budget.ts";
import type { Effect, EffectKind, EffectResult } from "../journal/effect.ts";
import type { StoredRow } from "../journal/ledger-rows.ts";
import type { JournalRecord, RecordBody, Stamp } from "../journal/record.ts";
import type { RunConfig } from "../journal/run-config.ts";
import type { Json } from "../text/json.ts";

/** A run as a list shows it: everything here follows from the journal and the lease. */
export type RunRow = {
  readonly id: string;
  readonly pipeline: string;
  readonly repo: string;
  readonly createdAt: number;
  /** `running` while somebody owns it or it has not ended or suspended. */
  readonly status: string;
  readonly exit: number | null;
  readonly reason: string | null;
  readonly owner: string | null;
  /** When the owner's claim lapses, by the host's clock; null when nobody owns it. */
  readonly leaseUntil: number | null;
  readonly fence: number;
  /** The database's role of who submitted it, where a team has one. */
  readonly submitter?: string;
};

export type NewRun = { readonly id: string; readonly pipeline: string; readonly repo: string };

/** Proof of ownership: only the holder of the newest fence may append. */
export type Lease = { readonly run: string; readonly owner: string; readonly fence: number };
export type LeaseResult =
  | { readonly won: true; readonly lease: Lease }
  | { readonly won: false; readonly owner: string; readonly until: number };

export type StampedRecord = RecordBody & Stamp;

export type PageStart = { readonly after: number; readonly most: number };

/** What a person or another process tells a run. Kept until the run has read it, also while it is down. */
export type Signal =
  | {
      readonly kind: "answer";
      readonly approval: string;
      readonly choice: string;
      readonly hash: string;
      readonly by: string;
      readonly note?: string;
    }
  | {
      readonly kind: "resume";
      /** The pause that it answers, where it is said to answer one. */
      readonly approval?: string;
      readonly by: string;
      readonly note?: string;
      readonly limits?: Limits;
      /** What it works by from here on. */
      readonly config?: RunConfig;
    }
  | { readonly kind: "cancel"; readonly by: string; readonly note?: string }
  /** The run rests, agents at work are put down, and `resume` goes on. */
  | { readonly kind: "pause"; readonly by: string; readonly note?: string }
  /** Ends one attempt at once, by its effect: it has failed, and the policy of its dispatch says what follows. */
  | { readonly kind: "stop"; readonly effect: string; readonly by: string; readonly note?: string };
/** One that counts for nothing: it could not be read, or whoever posted it may not say that. The run's owner records it. */
export type DroppedLetter = {
  readonly kind: "dropped";
  /** What it was meant as. */
  readonly of: string;
  readonly by: string;
  readonly why: string;
};
export type PostedSignal = {
  readonly id: number;
  readonly at: number;
  readonly letter: Signal | DroppedLetter;
  /** Who the store itself knows to have posted it: a role of the database, where many have one. */
  readonly role?: string;
};

/** Who was quicker, with what, and when. */
export type EarlierAnswer = { readonly choice: string; readonly by: string; readonly at: number };

export type DriveResult = { readonly status: string; readonly exit: number };

/** What a host calls back; it never imports the engine. */
export type Handlers = {
  /** Runs or resumes one run until it ends or suspends. */
  drive(run: string, signal: AbortSignal): Promise<DriveResult>;
  /** Performs an effect for the first time. */
  perform<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  /** The effect was begun by a process that is gone: adopt what it left, do it again if that is safe, or say `interrupted`. */
  recover<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  /** What a machine must offer to perform it. A host that has only this one does not ask. */
  needs?(effect: Effect): readonly string[];
};

/**
 * Where runs are remembered and effects performed.
 *
 * Contract:
 * - `append` is atomic, durable when it returns, and refused with FENCED unless the claim is the newest;
 *   sequence numbers continue without a gap; ledger rows of the facts are written in the same transaction.
 * - `claim` gives at most one owner a live lease; each claim has a higher fence than all before it.
 * - of all answers to one question `post` takes one, whoever posts at the same time; the others are not stored and are
 *   given back the one that counts. An answer that the engine would drop, for other content or no choice, is none. The
 *   same holds for words that cancel a run, and a run that has ended takes no letter at all.
 * - a letter is delivered at least until `read` marks it; letters may arrive before anyone waits for them.
 * - `effects.start` is called once per id by a given owner after its intent is durable; `effects.resume` for an
 *   intent found in the journal. Neither ever leads to a second `perform` of the same attempt.
 * - an I/O error of the store is thrown, never swallowed; nothing is acknowledged that is not stored.
 */
export interface Host {
  readonly name: string;
  /** How many interrupted attempts of one dispatch are replaced before it counts as failed. */
  readonly interruptions: number;
  /** How long a claim lives without being renewed. */
  readonly leaseMs: number;
  /** Called once, before anything is driven. */
  serve(handlers: Handlers): Promise<void>;
  /** Drives the run here or on any worker, and resolves when it has ended or suspended. */
  drive(run: string, signal?: AbortSignal): Promise<DriveResult>;
  readonly runs: {
    /** With its first records, in one transaction: a run that exists has a beginning. */
    create(run: NewRun, first?: readonly StampedRecord[]): Promise<void>;
    get(id: string): Promise<RunRow | undefined>;
    /** Newest first. */
    list(filter?: { readonly repo?: string }): Promise<readonly RunRow[]>;
    claim(run: string, owner: string): Promise<LeaseResult>;
    /** False when the claim is no longer the newest. */
    renew(lease: Lease): Promise<boolean>;
    release(lease: Lease): Promise<void>;
  };
  readonly journal: {
    load(run: string, after?: number): Promise<readonly JournalRecord[]>;
    /** The next of them, at most so many: for whoever need not have all of them at once. */
    page(run: string, from: PageStart): Promise<readonly JournalRecord[]>;
    append(lease: Lease, records: readonly StampedRecord[]): Promise<void>;
    /** Every record after `after`, then new ones as they come, until the signal fires. */
    follow(run: string, after: number, signal: AbortSignal): AsyncIterable<JournalRecord>;
  };
  readonly effects: {
    start<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
    resume<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  };
  readonly inbox: {
    /** Gives back the answer that came earlier, instead of storing the letter. */
    post(run: string, signal: Signal): Promise<EarlierAnswer | undefined>;
    unread(run: string): Promise<readonly PostedSignal[]>;
    read(lease: Lease, ids: readonly number[]): Promise<void>;
    /** Resolves when something may have arrived, or the signal fires. */
    changed(run: string, signal: AbortSignal): Promise<void>;
  };
  readonly ledger: {
    /** One row, read only, of a rule in the portable subset. */
    ask(sql: string, params: Readonly<Record<string, Json>>): Promise<Readonly<Record<string, Json>> | undefined>;
    /** Every row of a run as it is stored now: each table's in the order in which they were written. */
    rows(run: string): Promise<readonly StoredRow[]>;
  };
  readonly blobs: {
    put(text: string): Promise<string>;
    get(digest: string): Promise<string | undefined>;
  };
  close(): Promise<void>;
}
