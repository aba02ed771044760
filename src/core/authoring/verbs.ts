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

/** Valid contract with the dispatch that gave it and, for roles that write, the resulting tree. */
export type Answer<Contract, Writes extends boolean> = Contract & {
  readonly by: string;
  /** Failures of earlier attempts of this dispatch, if any. */
  readonly retried?: readonly Failure[];
} & (Writes extends true
    ? { readonly after: Tree; readonly changed: readonly string[]; readonly outside: readonly string[] }
    : unknown);

export type DispatchOptions = {
  /** Name of the instance, if the same role is dispatched several times with different views. */
  readonly as?: string;
  readonly task?: string;
  /** Tree to work in. Default: the tree that the run started from. */
  readonly in?: Tree;
  /**
   * Base of the agent's diff, available in its repository as the tag `base`. Default: the run's last commit, or the
   * tree that it started from.
   */
  readonly base?: Tree;
  /** Globs of files that may change; `!` excludes files. Other files are not taken. Default: every file. */
  readonly writes?: readonly string[];
  /** Treatment of other changed files: drop and report them, or fail the attempt. */
  readonly outside?: "drop" | "fail";
  /** Files that must exist and not be empty when the agent reports that it is done. */
  readonly delivers?: readonly string[];
  readonly retry?: Retry;
};

export type Check = {
  readonly name: string;
  readonly passed: boolean;
  readonly exitCode: number | null;
  /** End of the output. */
  readonly snippet: string;
  /**
   * Excerpt for a check that is not green: start and end of the output, and the lines between them that explain the
   * failure.
   */
  readonly output?: string;
  /** Result of the same command on the baseline, if there is one. */
  readonly before?: boolean;
  readonly outcome: CheckOutcome;
  /** The check supports this tree: it is green, or red only in tests that also failed on the baseline. */
  readonly proves?: true;
  /** Number of executed tests from its report, without skipped ones. Absent if no test was counted. */
  readonly tests?: number;
  /** Names of some of the failed tests. */
  readonly failing?: readonly string[];
  /** Reason why the check is not a plain pass: one sentence that starts with its name. */
  readonly because?: string;
};

export type Evidence = {
  readonly tree: string;
  /** At least one command of the project passed or is no worse than before; none failed, and none could not run. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  readonly regressions: readonly Finding[];
  /** Findings about weakened tests, relaxed settings, protected paths and removed tests. */
  readonly tamper: readonly Finding[];
  /** All other findings of checks, including flaky ones. */
  readonly findings: readonly Finding[];
  /** Requested commands that are not configured. */
  readonly notRun: readonly string[];
  /**
   * Tests that passed on the old code, fail on the new code and were not announced; `by` is the person who accepted
   * that.
   */
  readonly exam?: { readonly named: readonly string[]; readonly by?: string };
  /** The work came back unchanged and red. Contains who decided whether to run the commands once more. */
  readonly again?: { readonly by: string; readonly ran: boolean };
};

export type CheckOptions = {
  readonly task?: string;
  readonly baseline?: Tree;
  /** Globs of files that the work may change. With a baseline, every other changed file is a finding. */
  readonly declared?: readonly string[];
  /** Names of configured commands. Default: all of them. */
  readonly commands?: readonly string[];
  /** Folder of the tree to run them in. Default: the top. */
  readonly cwd?: string;
  /**
   * When to ask a person about old tests that fail on the new code: at once, or (default) when the work comes back with
   * the same tests still failing.
   */
  readonly asks?: "at once";
  /** Kind of the recorded rows: `baseline` for the tree that the work starts from. Default: finished work. */
  readonly recordedAs?: "baseline" | "after";
  /** @deprecated Use `recordedAs`: a phase is a phase of the pipeline. */
  readonly phase?: "baseline" | "after";
};

export type Question<Choice extends string> = {
  readonly title: string;
  readonly show: unknown;
  readonly choices: readonly Choice[];
  /** Choice that autonomous mode takes; "never" waits for a person in every mode. */
  readonly auto: Choice | "never";
  /** Choices that require a note. Without a note they are not accepted as an answer. */
  readonly words?: readonly Choice[];
  /** Choice that sends the work back with the person's note. `reject --note` answers with it. */
  readonly revises?: Choice;
  /** Short explanation of the effect of each choice. Default: the text of the choice. */
  readonly leads?: { readonly [C in NoInfer<Choice>]?: string };
  /**
   * Summary that a person reads first, derived from what is shown, in reading order. Default: everything that is shown.
   */
  readonly brief?: Brief;
  /**
   * Announcements that become valid with the approval. The engine shows which tests of the baseline each one excuses.
   */
  readonly announces?: readonly Announcement[];
  /** Files of the run's tree that the question is about. Their paths are shown, and their content on request. */
  readonly paths?: readonly string[];
  /** Choice that counts as a passed decision, and the tree that it is about. */
  readonly accepts?: Choice;
  readonly tree?: Tree;
  /** @deprecated Use `tree`, as in the values of a gate. */
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
  /** Findings of the previous round, the input of this one. */
  readonly findings: readonly Finding[];
  readonly history: readonly Decision[];
};

export type LoopOptions = {
  readonly max: number;
  /** Called after each round that did not pass. A returned text stops the loop and is its reason. */
  readonly stop?: (history: readonly Decision[]) => string | undefined;
};

export type LoopEnd<T> = T & {
  readonly rounds: number;
  readonly ended: "passed" | "exhausted" | "stopped";
  readonly why?: string;
  readonly all: readonly T[];
};

export type ParallelOptions<T> = {
  /** Names the branch. Default: the item if it is a text, else its `id`. */
  readonly key?: (item: T) => string;
  /** Number of branches that must succeed. Default: all. */
  readonly atLeast?: number;
  /** Maximum number of dispatches of these branches that run at once, within the pipeline's cap. */
  readonly cap?: number;
};

export type WithinOptions = {
  /** The step name gives the time and not the subject, so a gate inside replaces its own earlier judgement. */
  readonly repeats?: boolean;
};

export type MergeResult =
  | { readonly clean: true; readonly tree: Tree }
  | { readonly clean: false; readonly at: number; readonly conflicts: readonly string[] };

export type CommitOptions = {
  readonly message: string;
  /** Decisions that justify the commit: of this run, passed, and about exactly this tree. */
  readonly because: readonly Decision[];
  /** Declared kind of the work. A fix or a feature has to show a test that fails without it. */
  readonly declared?: "fix" | "feature";
  /** The kind was assumed. No failing test is required if no check of the project reports tests. */
  readonly assumed?: boolean;
  /** Default: the run's own branch, `signalbox/<run>`. */
  readonly branch?: string;
  /** Parent commit if the branch exists already. Default: the commit that the run started from. */
  readonly parent?: string;
  /** Additional facts for the person who commits the work or reads the result of the run. */
  readonly caveats?: readonly string[];
};

/** `commit` is the newest commit; `code` is the one below it with the work if documents have a separate commit. */
export type Committed = { readonly commit: string; readonly branch: string; readonly code?: string };

/**
 * Decision that did not pass. Either a person wants more work, and their note is the first finding; or no test fails
 * without the work, which its author may add once before a person is asked.
 */
export type SentBack = { readonly sentBack: Decision };

export type WriteOptions = {
  /** `tree`: part of every later tree. `checkout`: a file in the user's checkout, replaced atomically. */
  readonly to?: "tree" | "checkout";
  /** The file is not written unless the checkout's file still has this hash, so that a person's edit is never lost. */
  readonly ifHash?: string;
  /** Returns a failure instead of stopping the run, for files that are not essential. */
  readonly lenient?: boolean;
  /** Content that is restored if a person cancels the run and the file has not changed since. */
  readonly undo?: string;
};

/** `refused` is the reason why nothing was written; `hash` then belongs to the existing file, or is empty. */
export type WriteResult = {
  readonly hash: string;
  readonly refused?: string;
  readonly undo?: { readonly path: string; readonly text: string };
};

/** `key` is equal for every attempt, also after a crash. Send it as an idempotency key. */
export type Act<T> = (at: { readonly key: string; readonly signal: AbortSignal }) => Promise<T>;

export type ActOptions = {
  /** Default: the retry of the pipeline. */
  readonly retry?: Retry;
  /** `signal` fires after this time and the attempt has failed. Default: one minute. */
  readonly timeoutMs?: number;
};

/**
 * API of a pipeline. Arguments and results of every verb are JSON and recorded under a path key; when a run is resumed,
 * the function runs again from the top and receives the recorded values.
 *
 * Contract for authors: await every verb; one at a time per scope (concurrency only through `parallel` and `together`);
 * no clock, randomness, file or network except through verbs.
 */
export interface Verbs<Input> {
  readonly input: Input;
  readonly run: string;
  phase(title: string): void;
  skip(title: string, reason: string): void;
  /** Dispatches an agent. A failure ends the branch. */
  agent<In, C, W extends boolean>(
    role: Role<In, C, W>,
    input: NoInfer<In>,
    options?: DispatchOptions,
  ): Promise<Answer<C, W>>;
  /** Dispatches an agent. A failure is returned as a value. */
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
   * Declares changes of behaviour before the work starts: tests that assert the old behaviour may then fail. Call it
   * after the plan is approved, because it does not apply to earlier work. `instead` replaces the earlier
   * announcements, which were about other work.
   */
  announce(changes: readonly SourcedAnnouncement[], options?: { readonly instead?: boolean }): Promise<void>;
  check(tree: Tree, options?: CheckOptions): Promise<Evidence>;
  /** Evaluates the rules over `values`; `values.tree` is the tree that the decision is about. */
  gate<Values extends Record<string, unknown>>(
    name: string,
    rules: readonly Rule<Values>[],
    values: Values,
  ): Promise<Decision>;
  ask<const Choice extends string>(question: Question<Choice>): Promise<Answered<Choice>>;
  /** Suspends the run; `resume` is the person's answer. */
  pause(reason: string, show: unknown): Promise<{ readonly by: string; readonly note?: string }>;
  see<K extends ObservationKind>(
    what: K,
    ...args: Observations[K]["args"] extends undefined ? [] : [Observations[K]["args"]]
  ): Promise<Observations[K]["sees"]>;
  write(path: string, text: string, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Runs a step of your own, such as reading a ticket or posting a comment. It is executed at least once and never on
   * replay. Its result is recorded as a claim, not as evidence. A failure ends the branch.
   */
  act<T>(name: string, body: Act<T>, options?: ActOptions): Promise<T>;
  /** Sets the facts that `status` shows, also while no engine is running. */
  note(facts: Readonly<Record<string, Json>>): Promise<void>;
  merge(base: Tree, trees: readonly Tree[]): Promise<MergeResult>;
  /**
   * Commits the work. With `revisable`, the person who is asked about undecided evidence may also send the work back.
   * Work without a test that fails without it is sent back once before anyone is asked, unless only a person may send
   * it back.
   */
  commit(
    tree: Tree,
    options: CommitOptions & { readonly revisable: boolean | "by a person" },
  ): Promise<Committed | SentBack>;
  commit(tree: Tree, options: CommitOptions): Promise<Committed>;
  end(end: End): never;
}
