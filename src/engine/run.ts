import type { SourcedAnnouncement } from "../core/authoring/announcement.ts";
import type { Decision } from "../core/authoring/decision.ts";
import type { End, SuspendedStatus } from "../core/authoring/end.ts";
import type { Phases } from "../core/authoring/phases.ts";
import type { Pipeline } from "../core/authoring/pipeline.ts";
import type { Account, BudgetOwner } from "../core/budget/account.ts";
import type { LimitHit, Limits } from "../core/budget/budget.ts";
import type { QuotaPolicy } from "../core/budget/quota.ts";
import type { UnusableCommand } from "../core/checks/cure/cure.ts";
import type { SignalboxError } from "../core/failure/errors.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { DroppedFiles, Effect, EffectKind, EffectResult, Refusal, RenderedFile } from "../core/journal/effect.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Host } from "../core/ports/host.ts";
import type { World } from "../core/ports/world.ts";
import type { AttemptStops } from "./drive/attempt-stops.ts";
import type { IdleDetector } from "./drive/idle-detector.ts";
import type { Recorder } from "./drive/recorder.ts";
import type { SignalInbox } from "./drive/signals.ts";
import type { RunHistory } from "./replay/history.ts";
import type { LatestBySeq } from "./replay/latest-by-seq.ts";
import type { CommandRun } from "./verbs/check-runs.ts";
import type { StoredNote } from "./verbs/facts/answer-notes.ts";

/** Fields that every record about a dispatch has. */
export type DispatchFields = Pick<
  JournalRecord<"agent.finished">,
  "key" | "role" | "instance" | "task" | "round" | "attempt"
>;

/** A running attempt. `session` is set once it was cut off in a conversation that can be resumed. */
export type OpenAttempt = DispatchFields & Pick<JournalRecord<"agent.finished">, "session">;

/** The end of one engine's work on a run. The first conclusion counts. */
/** A cancel or pause of a person, with the id of its signal and the role that the store knows for the sender. */
type PersonDecision = { readonly by: string; readonly role?: string; readonly note?: string; readonly letter: number };

export type Conclusion =
  | { readonly kind: "ended"; readonly end: End }
  | ({ readonly kind: "canceled" } & PersonDecision)
  | ({ readonly kind: "paused" } & PersonDecision)
  | {
      readonly kind: "suspended";
      readonly status: SuspendedStatus;
      readonly reason: string;
      readonly waiting?: readonly string[];
      /** Overrides the exit code of the status. */
      readonly exit?: number;
      readonly code?: string;
    }
  /** A configured command cannot run here: nothing was dispatched. */
  | {
      readonly kind: "unready";
      readonly reason: string;
      readonly errors?: readonly string[];
      readonly next?: readonly string[];
    }
  | { readonly kind: "broken"; readonly error: SignalboxError }
  | { readonly kind: "lost"; readonly error: unknown };

/**
 * State derived from the steps so far. Branches finish in any order and are replayed in another one, so later values
 * win by the number of the step's last record, which never changes.
 */
export type RunState = {
  readonly rendered: LatestBySeq<string>;
  /** Files in the checkout that only the engine writes. */
  readonly projected: LatestBySeq<string>;
  /** All files in the checkout that were written, also those of a person. */
  readonly written: LatestBySeq<string>;
  readonly decisions: Map<string, Decision>;
  /** The newest decision of each gate, by its place. */
  readonly standing: LatestBySeq<Decision>;
  /** The text of each rule by its id: one id stands for one rule. */
  readonly rules: Map<string, string>;
  /** The newest commit of this run on each branch. */
  readonly commits: LatestBySeq<string>;
  /** The tree of each commit of this run, without the files that the engine rendered into it. */
  readonly committed: Map<string, string>;
  /** Caveats about committed work, for readers of the end. */
  readonly caveats: Set<string>;
  /** Runs by tree and command: the same command on the same tree runs once, or twice if its result is in doubt. */
  readonly checked: Map<string, readonly CommandRun[]>;
  /** Changes of agents that were not taken: by the tree that lacks them, and by the dispatch. */
  readonly dropped: {
    readonly trees: Map<string, readonly DroppedFiles[]>;
    readonly dispatches: LatestBySeq<readonly DroppedFiles[]>;
  };
  /** Trees that differ from another tree only by process documents, and that other tree. */
  readonly sameWork: Map<string, string>;
  /** Notes of people who sent work back, by question; everything before the newest commit is settled. */
  readonly refusals: { readonly said: LatestBySeq<Refusal & { readonly seq: number }>; settledAt: number };
  /** Notes that people wrote with their answers, in the order of the journal. */
  readonly notes: StoredNote[];
  exemption: Exemption | undefined;
  /** Old tests that failed on new code so far, and those of them that a person accepted. */
  readonly named: Set<string>;
  readonly accepted: Set<string>;
  /** Branches whose work was sent back for a missing red test, until it shows one. */
  readonly unproven: Set<string>;
  /** Trees whose red checks a person left as they are. */
  readonly kept: Set<string>;
  /** Behavior changes that a plan has declared. */
  readonly announced: SourcedAnnouncement[];
};

/** Suggests fixes for commands that cannot run on this tree, line by line. */
export type SuggestFixes = (sick: {
  readonly run: string;
  readonly tree: string;
  readonly ailments: readonly UnusableCommand[];
}) => Promise<readonly string[]>;

/** The statement of a person that a run needs no command of the project. */
export type Exemption = { readonly by: string; readonly reason: string };

/** The state that one engine holds of one run. */
export type Run = {
  readonly id: string;
  readonly pipeline: Pipeline;
  readonly phases: Phases;
  /** The recorded start, with the configuration that applies now. */
  started: JournalRecord<"run.started">;
  readonly history: RunHistory;
  readonly host: Host;
  readonly world: World;
  readonly recorder: Recorder;
  /** Fires when the run is over, so that every wait ends. */
  readonly signal: AbortSignal;
  readonly idle: IdleDetector;
  readonly signals: SignalInbox;
  readonly state: RunState;
  /** Keys used so far, by their text: the second of the same name gets a number. */
  readonly keys: Map<string, number>;
  readonly visited: Set<string>;
  /** Running attempts, by effect id. */
  readonly open: Map<string, OpenAttempt>;
  /** Attempts that a person asked to stop. */
  readonly stops: AttemptStops;
  /** The restore of earlier files; only for a run that was forked from another one. */
  bringing: Promise<void> | undefined;
  limits: Limits;
  /**
   * The policy while the usage window of an agent is used up. The result is recorded, so another engine may have
   * another policy.
   */
  readonly usageWindow: QuotaPolicy;
  /** The argument of end() in a branch whose siblings are still running. */
  ending: End | undefined;
  /** True once concluded: remaining work is abandoned and records nothing. */
  over: boolean;
  conclude(conclusion: Conclusion): void;
  /** Ends this engine's work on the run because a rule of replay was broken. */
  refuse(error: SignalboxError): never;
  effect<K extends EffectKind>(how: "start" | "resume", effect: Effect<K>): Promise<EffectResult<K>>;
  /** Runs work of the pipeline itself in this process. The end of the run waits for it, and a replay never does it. */
  own<T>(work: () => Promise<T>): Promise<T>;
  readonly cures: SuggestFixes;
  /** The spending so far. A dispatch is reserved before it begins, so that parallel branches see each other's. */
  readonly account: Account;
  /** Resolves when the cost of the next attempt of this run is known. */
  settled(): Promise<void>;
  /** Milliseconds until the time limit; undefined without one. */
  timeLeft(): number | undefined;
  /** Undefined if the next dispatch of this role, in this phase, is within the limits. */
  limit(spender?: BudgetOwner): LimitHit | undefined;
};

/** A dispatch or another step that failed for good; ends the branch unless parallel() tolerates it. */
export class StepFailed extends Error {
  readonly key: string;
  readonly failure: Failure;
  constructor(key: string, failure: Failure) {
    super(`${key}: ${failure.message}`);
    this.name = "StepFailed";
    this.key = key;
    this.failure = failure;
  }
}

/** Thrown by end(); passes through every scope up to the body. */
export class RunEnded extends Error {
  readonly end: End;
  constructor(end: End) {
    super("the pipeline called end()");
    this.name = "Ended";
    this.end = end;
  }
}

/** Never settles: the work of a run that is over is abandoned. */
export function createNever<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

export function listRenderedFiles(run: Run): readonly RenderedFile[] {
  return run.state.rendered.entries().map(([path, text]) => ({ path, text }));
}
