import type { CheckOutcome } from "../checks/outcome/outcome.ts";
import type { Failure, Outcome } from "../failure/failure.ts";
import type { Json } from "../text/json.ts";
import type { Announcement, SourcedAnnouncement } from "./announcement.ts";
import type { Brief } from "./brief.ts";
import type { Decision } from "./decision.ts";
import type { End } from "./end.ts";
import type { Finding } from "./finding.ts";
import type { ObservationKind, Observations } from "./observations.ts";
import type { Retry } from "./retry.ts";
import type { Role } from "./role.ts";
import type { Rule } from "./rule.ts";
import type { Tree } from "./tree.ts";

/** A valid contract, who gave it, and for roles that write: the tree they left behind. */
export type Answer<Contract, Writes extends boolean> = Contract & {
  readonly by: string;
  /** What earlier attempts of this dispatch failed with, where there were any. */
  readonly retried?: readonly Failure[];
} & (Writes extends true
    ? { readonly after: Tree; readonly changed: readonly string[]; readonly outside: readonly string[] }
    : unknown);

export type DispatchOptions = {
  /** The instance's name, where one role is dispatched several times for different views. */
  readonly as?: string;
  readonly task?: string;
  /** The tree to work in; without it the tree that the run started from. */
  readonly in?: Tree;
  /**
   * What its change is told from, as the tag `base` of its repository; without it what the run committed last, or the
   * tree that it started from.
   */
  readonly base?: Tree;
  /** Globs of what may change, `!` before those that may not; other files are not taken. Without it everything may. */
  readonly writes?: readonly string[];
  /** What becomes of other files: dropped and reported, or the attempt fails. */
  readonly outside?: "drop" | "fail";
  /** Files that must be there, and not empty, when the agent says that it is done. */
  readonly delivers?: readonly string[];
  readonly retry?: Retry;
};

export type Check = {
  readonly name: string;
  readonly passed: boolean;
  readonly exitCode: number | null;
  /** The end of what it printed. */
  readonly snippet: string;
  /** Of one that is not green: head and tail of what it printed, and what tells of the failure between them. */
  readonly output?: string;
  /** How the same command ended on the baseline, where there is one. */
  readonly before?: boolean;
  readonly outcome: CheckOutcome;
  /** It says something good about this tree: green, or red only in tests that failed on the baseline too. */
  readonly proves?: true;
  /** How many tests it ran, as its report counts them, skipped ones left out; absent where none were seen. */
  readonly tests?: number;
  /** Some of the tests that failed, by name. */
  readonly failing?: readonly string[];
  /** Why it is no plain pass: one sentence that begins with its name. */
  readonly because?: string;
};

export type Evidence = {
  readonly tree: string;
  /** Some command of the project passed, or was as red before; none failed, and none could not run. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  readonly regressions: readonly Finding[];
  /** Tests weakened, guards relaxed, protected paths touched, fewer tests. */
  readonly tamper: readonly Finding[];
  /** Everything else that a check found, flaky ones included. */
  readonly findings: readonly Finding[];
  /** Asked for, but not among the configured commands. */
  readonly notRun: readonly string[];
  /** Tests that passed on the old code, fail on the new one and were not announced; `by` is who accepted that. */
  readonly exam?: { readonly named: readonly string[]; readonly by?: string };
  /** The work came back as it was and was red: who said whether the commands run once more. */
  readonly again?: { readonly by: string; readonly ran: boolean };
};

export type CheckOptions = {
  readonly task?: string;
  readonly baseline?: Tree;
  /** Globs of what the work may change; with a baseline, anything else is a finding. */
  readonly declared?: readonly string[];
  /** Names of configured commands; without it all of them. */
  readonly commands?: readonly string[];
  /** The folder of the tree to run them in; without it its top. */
  readonly cwd?: string;
  /**
   * When a person is asked about old tests that fail on the new code: at once, or when the work comes back with the
   * same ones still failing. Without it the second time.
   */
  readonly asks?: "at once";
  /** What its rows speak of: `baseline` is where the work starts from; without it, work that was done. */
  readonly recordedAs?: "baseline" | "after";
  /** @deprecated Say `recordedAs`: a phase is a heading of the pipeline. */
  readonly phase?: "baseline" | "after";
};

export type Question<Choice extends string> = {
  readonly title: string;
  readonly show: unknown;
  readonly choices: readonly Choice[];
  /** What autonomous mode takes; "never" waits for a person in every mode. */
  readonly auto: Choice | "never";
  /** Choices that are nothing without a note: one without is no answer. */
  readonly words?: readonly Choice[];
  /** The choice that sends the work back with the person's note: what `reject --note` answers. */
  readonly revises?: Choice;
  /** What each choice leads to, in a few words for whoever chooses; without them the words of the choice speak. */
  readonly leads?: { readonly [C in NoInfer<Choice>]?: string };
  /** What a person reads first, made of what is shown and in the order of reading; without it, all that is shown. */
  readonly brief?: Brief;
  /** Announcements that count once it is approved: the engine shows which tests of the baseline each one excuses. */
  readonly announces?: readonly Announcement[];
  /** Files of the run's tree that the question is about: shown by their path, and whole when asked for. */
  readonly paths?: readonly string[];
  /** The choice that counts as a passed decision, and the tree that it speaks of. */
  readonly accepts?: Choice;
  readonly tree?: Tree;
  /** @deprecated Say `tree`, as a gate's values do. */
  readonly about?: Tree;
};

export type Answered<Choice extends string> = {
  readonly choice: Choice;
  readonly note?: string;
  readonly by: string;
  readonly decision: Decision;
};

export type Round = {
  readonly round: number;
  /** What the round before found: the input of this one. */
  readonly findings: readonly Finding[];
  readonly history: readonly Decision[];
};

export type LoopOptions = {
  readonly max: number;
  /** Asked after each round that did not pass; a text stops the loop and says why. */
  readonly stop?: (history: readonly Decision[]) => string | undefined;
};

export type LoopEnd<T> = T & {
  readonly rounds: number;
  readonly ended: "passed" | "exhausted" | "stopped";
  readonly why?: string;
  readonly all: readonly T[];
};

export type ParallelOptions<T> = {
  /** Names the branch; without it the item itself where it is a text, or its `id`. */
  readonly key?: (item: T) => string;
  /** How many branches must succeed; without it all of them. */
  readonly atLeast?: number;
  /** How many dispatches of these branches may run at once, within the pipeline's own cap. */
  readonly cap?: number;
};

export type WithinOptions = {
  /** Its name says when something is done, not what: a gate inside replaces its own judgement of before. */
  readonly repeats?: boolean;
};

export type MergeResult =
  | { readonly clean: true; readonly tree: Tree }
  | { readonly clean: false; readonly at: number; readonly conflicts: readonly string[] };

export type CommitOptions = {
  readonly message: string;
  /** Why it may be committed: decisions of this run that passed and speak of this very tree. */
  readonly because: readonly Decision[];
  /** What the work was declared to be: a fix or a feature shows a test that is red without it. */
  readonly declared?: "fix" | "feature";
  /** Nobody stated the kind: no red test is asked for where no check of the project reports a test. */
  readonly assumed?: boolean;
  /** Without it the run's own branch, `signalbox/<run>`. */
  readonly branch?: string;
  /** The commit to go on top of, where the branch is there already; without it the one that the run started from. */
  readonly parent?: string;
  /** What whoever commits it, or reads the run's end, must know of this work beside what the engine itself finds. */
  readonly caveats?: readonly string[];
};

/** `commit` is the newest; `code` the one below it with the work, where documents have one of their own. */
export type Committed = { readonly commit: string; readonly branch: string; readonly code?: string };

/**
 * A decision that did not pass, with its findings: a person would rather have it worked on, and their words come first; or
 * no test is red without the work, which its author can show once before a person is asked.
 */
export type SentBack = { readonly sentBack: Decision };

export type WriteOptions = {
  /** `tree`: part of every tree from now on. `checkout`: a file in the user's checkout, replaced atomically. */
  readonly to?: "tree" | "checkout";
  /** Not written when the file in the checkout is no longer the one with this hash: a person's edit is never lost. */
  readonly ifHash?: string;
  /** A failure is told instead of stopping the run: for what people can do without. */
  readonly lenient?: boolean;
  /** What the file goes back to when a person cancels the run and nobody has changed it since. */
  readonly undo?: string;
};

/** `refused` says why nothing was written; `hash` is then of what is there, or empty. */
export type WriteResult = {
  readonly hash: string;
  readonly refused?: string;
  readonly undo?: { readonly path: string; readonly text: string };
};

/** `key` is the same on every try, also after a crash: hand it on wherever a second request must be told from the first. */
export type Act<T> = (at: { readonly key: string; readonly signal: AbortSignal }) => Promise<T>;

export type ActOptions = {
  /** After a failure; without it the pipeline's own. */
  readonly retry?: Retry;
  /** After so long `signal` fires, and the try has failed; without it a minute. */
  readonly timeoutMs?: number;
};

/**
 * What a pipeline is written in. Everything a verb takes or gives is JSON, recorded under a path key;
 * when a run is resumed, the function runs again from the top and gets the recorded values.
 *
 * Contract for authors: await every verb; one at a time per scope (concurrency only through `parallel`
 * and `together`); no clock, randomness, file or network except through verbs.
 */
export interface Verbs<Input> {
  readonly input: Input;
  readonly run: string;
  phase(title: string): void;
  skip(title: string, reason: string): void;
  /** One dispatch; a failure ends the branch. */
  agent<In, C, W extends boolean>(
    role: Role<In, C, W>,
    input: NoInfer<In>,
    options?: DispatchOptions,
  ): Promise<Answer<C, W>>;
  /** The same; a failure is a value. */
  attempt<In, C, W extends boolean>(
    role: Role<In, C, W>,
    input: NoInfer<In>,
    options?: DispatchOptions,
  ): Promise<Outcome<Answer<C, W>>>;
  parallel<T, R>(
    items: readonly T[],
    each: (item: T) => Promise<R>,
    options?: ParallelOptions<T>,
  ): Promise<(R | undefined)[]>;
  together<R extends Record<string, () => Promise<unknown>>>(
    branches: R,
  ): Promise<{ [K in keyof R]: Awaited<ReturnType<R[K]>> }>;
  within<R>(name: string, body: () => Promise<R>, options?: WithinOptions): Promise<R>;
  loop<T extends { decision: Decision }>(options: LoopOptions, body: (round: Round) => Promise<T>): Promise<LoopEnd<T>>;
  /**
   * Changes of behaviour, said before the work by whoever plans it: tests that say the old thing may then fail.
   * Call it once the plan is approved; whatever is announced later is too late for the work before. With `instead`,
   * what was announced before speaks no longer: it was about other work.
   */
  announce(changes: readonly SourcedAnnouncement[], options?: { readonly instead?: boolean }): Promise<void>;
  check(tree: Tree, options?: CheckOptions): Promise<Evidence>;
  /** `values` is what the rules are judged by; its `tree` says which tree the decision speaks of. */
  gate<Values extends Record<string, unknown>>(
    name: string,
    rules: readonly Rule<Values>[],
    values: Values,
  ): Promise<Decision>;
  ask<const Choice extends string>(question: Question<Choice>): Promise<Answered<Choice>>;
  /** Parks the run; `resume` is the person's answer. */
  pause(reason: string, show: unknown): Promise<{ readonly by: string; readonly note?: string }>;
  see<K extends ObservationKind>(
    what: K,
    ...args: Observations[K]["args"] extends undefined ? [] : [Observations[K]["args"]]
  ): Promise<Observations[K]["sees"]>;
  write(path: string, text: string, options?: WriteOptions): Promise<WriteResult>;
  /**
   * A step of your own: a ticket is read, a comment posted. Done at least once, never on a replay; what it gives back is
   * recorded as a claim and is evidence of nothing. A failure ends the branch.
   */
  act<T>(name: string, body: Act<T>, options?: ActOptions): Promise<T>;
  /** What `status` shows, also while the run is down. */
  note(facts: Readonly<Record<string, Json>>): Promise<void>;
  merge(base: Tree, trees: readonly Tree[]): Promise<MergeResult>;
  /**
   * With `revisable`, whoever is asked what evidence cannot decide may also send the work back. Work that lacks only a test
   * that is red without it goes back once before anybody is asked, unless only a person may send it back.
   */
  commit(
    tree: Tree,
    options: CommitOptions & { readonly revisable: boolean | "by a person" },
  ): Promise<Committed | SentBack>;
  commit(tree: Tree, options: CommitOptions): Promise<Committed>;
  end(end: End): never;
}
