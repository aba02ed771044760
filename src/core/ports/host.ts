import type { Limits } from "../budget/budget.ts";
import type { Effect, EffectKind, EffectResult } from "../journal/effect.ts";
import type { StoredRow } from "../journal/ledger-rows.ts";
import type { JournalRecord, RecordBody, Stamp } from "../journal/record.ts";
import type { RunConfig } from "../journal/run-config.ts";
import type { Json } from "../text/json.ts";

/** List entry of a run. Every field follows from the journal and the lease. */
export type RunRow = {
  readonly id: string;
  readonly pipeline: string;
  readonly repo: string;
  readonly createdAt: number;
  /** `running` while the run is owned, or has neither ended nor been suspended. */
  readonly status: string;
  readonly exit: number | null;
  readonly reason: string | null;
  readonly owner: string | null;
  /** Expiry of the owner's claim by the host's clock; null without an owner. */
  readonly leaseUntil: number | null;
  readonly fence: number;
  /** Database role of the submitter, in a team. */
  readonly submitter?: string;
};

export type NewRun = { readonly id: string; readonly pipeline: string; readonly repo: string };

/** Proof of ownership. Only the holder of the newest fence may append. */
export type Lease = { readonly run: string; readonly owner: string; readonly fence: number };
export type LeaseResult =
  | { readonly won: true; readonly lease: Lease }
  | { readonly won: false; readonly owner: string; readonly until: number };

export type StampedRecord = RecordBody & Stamp;

export type PageStart = { readonly after: number; readonly most: number };

/**
 * Message of a person or another process to a run. It is stored until the run has read it, also while no engine is
 * running.
 */
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
      /** Pause that it answers, if it names one. */
      readonly approval?: string;
      readonly by: string;
      readonly note?: string;
      readonly limits?: Limits;
      /** Configuration of the project from here on. */
      readonly config?: RunConfig;
    }
  | { readonly kind: "cancel"; readonly by: string; readonly note?: string }
  /** Suspends the run and stops running agents. `resume` continues. */
  | { readonly kind: "pause"; readonly by: string; readonly note?: string }
  /**
   * Terminates one attempt, identified by its effect. The attempt has failed; its dispatch's policy decides about a
   * retry.
   */
  | { readonly kind: "stop"; readonly effect: string; readonly by: string; readonly note?: string };
/** Ignored signal: it was unreadable, or its sender lacks the permission. The owner of the run records it. */
export type DroppedSignal = {
  readonly kind: "dropped";
  /** Intended kind. */
  readonly of: string;
  readonly by: string;
  readonly why: string;
};
export type PostedSignal = {
  readonly id: number;
  readonly at: number;
  readonly letter: Signal | DroppedSignal;
  /** Sender according to the store: the database role, if the store has roles. */
  readonly role?: string;
};

/** Answer that came first, with its sender and time. */
export type EarlierAnswer = { readonly choice: string; readonly by: string; readonly at: number };

export type DriveResult = { readonly status: string; readonly exit: number };

/** Callbacks of a host, so that it does not import the engine. */
export type Handlers = {
  /** Runs or resumes one run until it ends or is suspended. */
  drive(run: string, signal: AbortSignal): Promise<DriveResult>;
  /** Performs an effect for the first time. */
  perform<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  /**
   * Handles an effect of a process that is gone: adopts its result, repeats it if that is safe, or returns
   * `interrupted`.
   */
  recover<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  /** Lists the offers that a machine needs to perform the effect. A host with a single machine does not call it. */
  needs?(effect: Effect): readonly string[];
};

/**
 * Stores runs and executes effects.
 *
 * Contract:
 * - `append` is atomic, durable when it returns, and refused with FENCED unless the claim is the newest; sequence
 *   numbers continue without a gap; ledger rows are written in the same transaction.
 * - `claim` gives at most one owner a live lease; each claim has a higher fence than all earlier ones.
 * - of all concurrent answers to one question `post` accepts exactly one; the others are not stored, and their
 *   senders receive the accepted one. An answer that the engine would drop (other content, unknown choice) is not
 *   accepted. The same holds for cancel signals, and an ended run accepts no signal.
 * - a signal is delivered at least once, until `read` marks it; signals may arrive before anyone waits for them.
 * - `effects.start` is called once per id by an owner after its intent is durable; `effects.resume` for an intent
 *   found in the journal. Neither ever leads to a second `perform` of the same attempt.
 * - an I/O error of the store is thrown, never swallowed; nothing is acknowledged before it is stored.
 */
export interface Host {
  readonly name: string;
  /** Number of interrupted attempts of one dispatch that are replaced before it counts as failed. */
  readonly interruptions: number;
  /** Lifetime of a claim without renewal. */
  readonly leaseMs: number;
  /** Called once, before any run is driven. */
  serve(handlers: Handlers): Promise<void>;
  /** Drives the run here or on any worker. Resolves when it has ended or is suspended. */
  drive(run: string, signal?: AbortSignal): Promise<DriveResult>;
  readonly runs: {
    /** Creates the run with its first records in one transaction, so that every existing run has a beginning. */
    create(run: NewRun, first?: readonly StampedRecord[]): Promise<void>;
    get(id: string): Promise<RunRow | undefined>;
    /** Newest first. */
    list(filter?: { readonly repo?: string }): Promise<readonly RunRow[]>;
    claim(run: string, owner: string): Promise<LeaseResult>;
    /** Returns false if the claim is no longer the newest. */
    renew(lease: Lease): Promise<boolean>;
    release(lease: Lease): Promise<void>;
  };
  readonly journal: {
    load(run: string, after?: number): Promise<readonly JournalRecord[]>;
    /** Loads the next records, up to a limit, for callers that do not need all of them at once. */
    page(run: string, from: PageStart): Promise<readonly JournalRecord[]>;
    append(lease: Lease, records: readonly StampedRecord[]): Promise<void>;
    /** Yields every record after `after`, then new ones as they arrive, until the signal fires. */
    follow(run: string, after: number, signal: AbortSignal): AsyncIterable<JournalRecord>;
  };
  readonly effects: {
    start<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
    resume<K extends EffectKind>(effect: Effect<K>, signal: AbortSignal): Promise<EffectResult<K>>;
  };
  readonly inbox: {
    /** Returns the earlier answer instead of storing the signal, if there is one. */
    post(run: string, signal: Signal): Promise<EarlierAnswer | undefined>;
    unread(run: string): Promise<readonly PostedSignal[]>;
    read(lease: Lease, ids: readonly number[]): Promise<void>;
    /** Resolves when a signal may have arrived, or the abort signal fires. */
    changed(run: string, signal: AbortSignal): Promise<void>;
  };
  readonly ledger: {
    /** Runs a rule's query in the portable subset and returns its single row. Read only. */
    ask(sql: string, params: Readonly<Record<string, Json>>): Promise<Readonly<Record<string, Json>> | undefined>;
    /** Returns every stored row of a run, per table in the order of writing. */
    rows(run: string): Promise<readonly StoredRow[]>;
  };
  readonly blobs: {
    put(text: string): Promise<string>;
    get(digest: string): Promise<string | undefined>;
  };
  close(): Promise<void>;
}
