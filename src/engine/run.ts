import type { SourcedAnnouncement } from "../core/authoring/announcement.ts";
import type { Decision } from "../core/authoring/decision.ts";
import type { End, SuspendedStatus } from "../core/authoring/end.ts";
import type { Phases } from "../core/authoring/phases.ts";
import type { Pipeline } from "../core/authoring/pipeline.ts";
import type { Account, Spender } from "../core/budget/account.ts";
import type { LimitHit, Limits } from "../core/budget/budget.ts";
import type { QuotaPolicy } from "../core/budget/quota.ts";
import type { UnfitCommand } from "../core/checks/cure/cure.ts";
import type { SignalboxError } from "../core/failure/errors.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { DroppedFiles, Effect, EffectKind, EffectResult, Refusal, RenderedFile } from "../core/journal/effect.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Host } from "../core/ports/host.ts";
import type { World } from "../core/ports/world.ts";
import type { IdleDetector } from "./drive/idle-detector.ts";
import type { Recorder } from "./drive/recorder.ts";
import type { SignalInbox } from "./drive/signals.ts";
import type { Stops } from "./drive/stops.ts";
import type { History } from "./replay/history.ts";
import type { LatestBySeq } from "./replay/latest-by-seq.ts";
import type { CommandRun } from "./verbs/check-runs.ts";
import type { StoredNote } from "./verbs/facts/answer-notes.ts";

/** What every record about a dispatch names. */
export type DispatchFields = Pick<
  JournalRecord<"agent.finished">,
  "key" | "role" | "instance" | "task" | "round" | "attempt"
>;

/** An attempt under way; `session` as soon as it was cut off in a conversation that can be gone on with. */
export type OpenAttempt = DispatchFields & Pick<JournalRecord<"agent.finished">, "session">;

/** How one engine's work on a run comes to its end. The first conclusion stands. */
/** A person's word that concludes it, with the letter that it came in and the role that the store knows him by. */
type Said = { readonly by: string; readonly role?: string; readonly note?: string; readonly letter: number };

export type Conclusion =
  | { readonly kind: "ended"; readonly end: End }
  | ({ readonly kind: "canceled" } & Said)
  | ({ readonly kind: "paused" } & Said)
  | {
      readonly kind: "suspended";
      readonly status: SuspendedStatus;
      readonly reason: string;
      readonly waiting?: readonly string[];
      /** Other than the status's own. */
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
 * What follows from the steps so far. Branches finish in any order and are replayed in another, so what replaces
 * what goes by the number of the step's last record, which is the same for ever.
 */
export type RunState = {
  readonly rendered: LatestBySeq<string>;
  /** Files in the checkout that only the engine writes. */
  readonly projected: LatestBySeq<string>;
  /** Every file in the checkout that was written, a person's too. */
  readonly written: LatestBySeq<string>;
  readonly decisions: Map<string, Decision>;
  /** The newest decision of each gate, by its place. */
  readonly standing: LatestBySeq<Decision>;
  /** What each rule says that a gate was given, by its id: one id stands for one rule. */
  readonly rules: Map<string, string>;
  /** The newest commit on each branch that this run made. */
  readonly commits: LatestBySeq<string>;
  /** The tree of each commit that this run made, without the files that the engine rendered into it. */
  readonly committed: Map<string, string>;
  /** What whoever reads the end must know of what was committed. */
  readonly caveats: Set<string>;
  /** Runs by tree and command: the same command on the same tree runs once, or twice where it is doubted. */
  readonly checked: Map<string, readonly CommandRun[]>;
  /** What agents changed and nobody took: by the tree that lacks it, and by the dispatch. */
  readonly dropped: {
    readonly trees: Map<string, readonly DroppedFiles[]>;
    readonly dispatches: LatestBySeq<readonly DroppedFiles[]>;
  };
  /** Trees that differ from another one by documents of the process alone, and which one that is. */
  readonly sameWork: Map<string, string>;
  /** What people said when they sent work back, by the question; all before the newest commit is settled. */
  readonly refusals: { readonly said: LatestBySeq<Refusal & { readonly seq: number }>; settledAt: number };
  /** Notes that people wrote beside their answers, in the order of the journal. */
  readonly notes: StoredNote[];
  exemption: Exemption | undefined;
  /** Tests that an exam has named so far, and those of them that a person has let go. */
  readonly named: Set<string>;
  readonly accepted: Set<string>;
  /** Branches whose work went back for want of a red test, until it shows one. */
  readonly unproven: Set<string>;
  /** Trees whose red checks a person has left as they are. */
  readonly kept: Set<string>;
  /** Changes of behaviour that a plan has announced. */
  readonly announced: SourcedAnnouncement[];
};

/** What to do about commands that cannot run on this tree, line by line. */
export type Cures = (sick: {
  readonly run: string;
  readonly tree: string;
  readonly ailments: readonly UnfitCommand[];
}) => Promise<readonly string[]>;

/** A person's word that a run may do without any command of the project. */
export type Exemption = { readonly by: string; readonly reason: string };

/** One engine's grip on one run. */
export type Run = {
  readonly id: string;
  readonly pipeline: Pipeline;
  readonly phases: Phases;
  /** As it was recorded, with the configuration that counts now. */
  started: JournalRecord<"run.started">;
  readonly history: History;
  readonly host: Host;
  readonly world: World;
  readonly recorder: Recorder;
  /** Fires when the run is over: nothing waits any longer. */
  readonly signal: AbortSignal;
  readonly idle: IdleDetector;
  readonly signals: SignalInbox;
  readonly state: RunState;
  /** Keys given out so far, by their text: the second of the same name gets a number. */
  readonly keys: Map<string, number>;
  readonly visited: Set<string>;
  /** Attempts under way, by effect id. */
  readonly open: Map<string, OpenAttempt>;
  /** Attempts that a person has told to stop. */
  readonly stops: Stops;
  /** Files on their way back to what they were: only where the run begins with another's records. */
  bringing: Promise<void> | undefined;
  limits: Limits;
  /** While an agent's usage window is used up. What it leads to is recorded, so another engine may have another. */
  readonly usageWindow: QuotaPolicy;
  /** What a branch gave to end() while its siblings were still at work. */
  ending: End | undefined;
  /** True once concluded: whatever still runs is abandoned and records nothing. */
  over: boolean;
  conclude(conclusion: Conclusion): void;
  /** Ends this engine's work on the run because a rule of replay was broken. */
  refuse(error: SignalboxError): never;
  effect<K extends EffectKind>(how: "start" | "resume", effect: Effect<K>): Promise<EffectResult<K>>;
  /** Work of the pipeline's own, in this process: the run's end waits for it, and a replay never does it. */
  own<T>(work: () => Promise<T>): Promise<T>;
  readonly cures: Cures;
  /** What was spent; a dispatch is reserved before it begins, so that branches see each other's. */
  readonly account: Account;
  /** Resolves when the next attempt of this run has been paid for. */
  settled(): Promise<void>;
  /** Milliseconds until the limit of time; undefined without one. */
  timeLeft(): number | undefined;
  /** Undefined when the next dispatch of this role, in this phase, is within the limits. */
  limit(spender?: Spender): LimitHit | undefined;
};

/** A dispatch or another step that failed for good; ends the branch unless parallel() can do without it. */
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

/** Thrown by end(); carried up through every scope to the body. */
export class RunEnded extends Error {
  readonly end: End;
  constructor(end: End) {
    super("the pipeline called end()");
    this.name = "Ended";
    this.end = end;
  }
}

/** For work whose run is over: it is abandoned, so it never goes on. */
export function forever<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

export function renderedFiles(run: Run): readonly RenderedFile[] {
  return run.state.rendered.entries().map(([path, text]) => ({ path, text }));
}
