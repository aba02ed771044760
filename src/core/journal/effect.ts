import type { Finding } from "../authoring/finding.ts";
import type { MergeResult, WriteResult } from "../authoring/verbs.ts";
import type { TestChange } from "../checks/outcome/fewer-tests.ts";
import type { CheckOutcome } from "../checks/outcome/outcome.ts";
import type { TestCounts } from "../checks/reports/test-report.ts";
import type { LostTests, TestFates } from "../checks/tamper/lost-tests.ts";
import type { Failure } from "../failure/failure.ts";
import type { Json } from "../text/json.ts";
import type { Identity } from "./identity.ts";

/** File that the engine rendered. It is part of every tree that an agent gets, and of the commit. */
export type RenderedFile = { readonly path: string; readonly text: string };

/** Identifies a dispatch and one of its attempts. */
export type DispatchIdentity = {
  readonly pipeline: string;
  readonly phase: string;
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly round: number;
  readonly attempt: number;
};

export type AttemptRequest = DispatchIdentity & {
  readonly input: unknown;
  readonly nonce: string;
  readonly tree: string;
  readonly writes?: readonly string[];
  /** Guarded files that the team lets agents change. */
  readonly free?: readonly string[];
  readonly outside?: "drop" | "fail";
  readonly delivers?: readonly string[];
  /** Set for an attempt after a failed one: number of the retry, and the problem of an unusable answer. */
  readonly retry?: { readonly number: number; readonly because?: string };
  /** Tree with the work of the previous attempt, if only its answer was unusable. The folder starts with it. */
  readonly kept?: string;
  /** Position in the list of fallback agents. Absent for the first choice. */
  readonly instead?: number;
  /** A person asked for another attempt, so the known usage window of the agent is ignored. */
  readonly anew?: true;
  /** The previous attempt was interrupted. This one continues its conversation in its folder if that still exists. */
  readonly continues?: { readonly effect: string; readonly session: string };
  readonly rendered: readonly RenderedFile[];
  /** Base of the change. The repository of the attempt has it as the tag `base`. */
  readonly base?: string;
  /** The tree contains no change yet: only process documents differ from `base`. */
  readonly unchanged?: true;
  /** Commands of the project and their known results. Absent: the prompt does not mention any. */
  readonly checks?: readonly KnownCheck[];
  /** `from`: the tree that people committed, for which the result of the set-up may be cached. */
  readonly setup?: SetupCommand & { readonly from: string };
  /** Checks whose full output the agent gets as a file. */
  readonly logs?: readonly CheckLog[];
  /** Earlier changes of this role or on this tree that were dropped. */
  readonly dropped?: readonly DroppedFiles[];
  /** Findings for which an earlier run, whose phase this run repeats, was refused. */
  readonly refused?: readonly Finding[];
  /** Notes of people who sent a plan or work of this run back, until the next commit. */
  readonly refusals?: readonly Refusal[];
  /** Notes of people on their other answers, until the next commit. */
  readonly notes?: readonly AnswerNote[];
};

/** Note of a person on an answer, with its question and choice. */
export type AnswerNote = {
  readonly by: string;
  readonly asked: string;
  readonly choice: string;
  readonly note: string;
};

/** Refusal by a person, of a tree or of another subject of a question. */
export type Refusal = { readonly by: string; readonly note?: string; readonly asked?: string; readonly tree?: string };

/** Command of the project, with its results on the run's first tree and on the tree that the agent gets. */
export type KnownCheck = {
  readonly name: string;
  readonly run: string;
  readonly before?: CheckResultFacts;
  readonly now?: CheckResultFacts;
};

export type CheckResultFacts = {
  readonly outcome: CheckOutcome;
  /** `56 tests`, if tests were counted. */
  readonly tests?: string;
  readonly failing?: readonly string[];
  /** Reason why it did not run. */
  readonly because?: string;
};

/** `output` is a folder below the spool of the run. */
export type CheckLog = { readonly name: string; readonly output: string };

/** Files that an agent changed and that are left out of the resulting tree. */
export type DroppedFiles = {
  readonly by: string;
  readonly paths: readonly string[];
  /** Globs that the agent could write to. Absent: everything except guarded files. */
  readonly writes?: readonly string[];
};

export type Usage = { readonly inputTokens?: number; readonly outputTokens?: number; readonly usd?: number };

export type AttemptResult =
  | {
      readonly outcome: "done";
      readonly contract: Json;
      /** Set for roles that write. */
      readonly after?: string;
      readonly changed?: readonly string[];
      readonly outside?: readonly string[];
      readonly usage?: Usage;
      /** Number of times the agent was asked to repeat its answer in the same conversation. */
      readonly repairs?: number;
      readonly ms: number;
      /** Driver, and the model if one was chosen. */
      readonly by?: string;
      /** True if a new engine adopted the complete output of an interrupted attempt. */
      readonly adopted?: true;
    }
  | {
      readonly outcome: "failed";
      readonly failure: Failure;
      /** Tree with the work, if only the answer was unusable. */
      readonly kept?: string;
      readonly usage?: Usage;
      readonly ms: number;
      readonly by?: string;
      /** Fallback agent, if one is configured. */
      readonly instead?: string;
    }
  /**
   * `session`: the conversation that the next attempt can continue. `outlives`: only the engine stopped; the attempt is
   * still running, and the next engine waits for it. `orderly`: the executor was asked to stop. `worker`: the worker
   * that stopped or died, if it is not the owner.
   */
  | {
      readonly outcome: "interrupted";
      readonly session?: string;
      readonly outlives?: true;
      readonly orderly?: true;
      readonly worker?: string;
    };

/** `cwd`: folder of the tree in which the command runs, if not the top. */
export type Command = {
  readonly name: string;
  readonly run: string;
  readonly cwd?: string;
  /** Disables the requested test reports, for a command that fails with a reporter. */
  readonly asked?: false;
};

/** Prepares a checkout for its checks. Its result can be cached only with a lock file. */
export type SetupCommand = { readonly run: string; readonly lockFile?: string };

/** Built-in checks: changes since a baseline, and whether they are allowed. */
export type Inspection = {
  readonly baseline: string;
  /** Globs of the declared files. Absent: the check `scope` is skipped. */
  readonly declared?: readonly string[];
  readonly protectedPaths: readonly string[];
  /** Number of tests of each command on both trees. Replacing single tests with a table of cases is no loss. */
  readonly testCounts?: readonly TestChange[];
  /** Restricts the inspection to lost tests in these exam files. */
  readonly tests?: TestFates & {
    readonly paths: readonly string[];
    /** Changed source files that may affect the tests. */
    readonly sources?: readonly string[];
  };
};

export type CheckRequest = {
  readonly tree: string;
  readonly commands: readonly Command[];
  readonly setup?: SetupCommand;
  /**
   * People committed this tree, so the result of its set-up may be cached. It is never cached for a tree that an agent
   * wrote.
   */
  readonly keep?: boolean;
  readonly inspect?: Inspection;
};

export type CheckedCommand = {
  readonly name: string;
  readonly command: string;
  readonly cwd?: string;
  readonly exitCode: number | null;
  readonly ms: number;
  readonly digest: string;
  /** End of the output, at most 500 characters. */
  readonly snippet: string;
  /** Excerpt for a command that is not green: the lines that explain the failure, and start and end of the rest. */
  readonly excerpt?: string;
  /** Location of the full output, below the spool of the run. */
  readonly output?: string;
  /** Reason why the result says nothing about the tree: a missing program, a failed set-up, an incomplete report. */
  readonly notRun?: string;
  /** It ran without a reporter, because it wrote no readable report when one was requested. */
  readonly unasked?: true;
  /** Test counts, if a report or the output contains them. */
  readonly tests?: TestCounts;
  /** Findings of a built-in check. */
  readonly findings?: readonly Finding[];
  /** Findings that an exam can decide. */
  readonly suspected?: readonly Finding[];
  /** Its output says that coverage is below the required threshold. */
  readonly isShortOfCoverage?: true;
  /** Lost tests, and the change to the exam files, line by line. */
  readonly lost?: LostTests & { readonly diff: readonly string[] };
};

/**
 * Mixed trees for the exam of a change: the old exam with the new code, and the new exam with the old code. The exam
 * consists of test files, files that only tests use, snapshots, and the settings and start commands of test programs.
 */
/**
 * Globs of files that belong to the tests or to the code. They are configured by a person and override detection by
 * name.
 */
export type ExamHalves = { readonly tests: readonly string[]; readonly code: readonly string[] };

export type ExamRequest = {
  readonly old: string;
  readonly new: string;
  readonly halves?: ExamHalves;
  /** Commands and set-up of the project as they are run. Files that they start belong to the exam too. */
  readonly lines?: readonly string[];
  /** Files from which tests were collected, on either tree. */
  readonly collected?: readonly string[];
};

export type ExamTrees = {
  /** Changed files of the exam, and of the code. */
  readonly exam: readonly string[];
  readonly code: readonly string[];
  /** New code with the old exam. Absent if the exam did not change, because that is the new tree itself. */
  readonly oldOnNew?: string;
  /** Old code with the new exam. Absent if the exam did not change. */
  readonly newOnOld?: string;
  /** `oldOnNew` with the old dependencies. Used if the change removed a package and `oldOnNew` cannot run. */
  readonly oldOnNewOldPackages?: string;
  /** Parts of the exam that could not be separated from the code around them. */
  readonly inseparable: readonly string[];
  /** Files through which previously installed packages come from another source or have other content. */
  readonly replaced?: readonly { readonly path: string; readonly packages: readonly string[] }[];
  /** `oldOnNew` with these files of the other half, because their half cannot be determined. */
  readonly doubtful?: readonly {
    readonly tree: string;
    readonly paths: readonly string[];
    /** For a combination: these files are old, and `paths` are new. */
    readonly was?: readonly string[];
  }[];
  /** `oldOnNew` with different surrounding files, because code can read its surroundings. */
  readonly around?: readonly {
    readonly tree: string;
    readonly paths: readonly string[];
    /**
     * `beside`: the files are new and stay; `without`: they are new and removed; `was`: they have their old content,
     * because only tests import them; `packages`: they install development packages as before.
     */
    readonly how: "beside" | "without" | "was" | "packages";
    /** The same tree with the new tests present but empty. */
    readonly emptied?: string;
    /** Changed code can read its surroundings. */
    readonly looks?: boolean;
  }[];
  /** Too many such files: their combinations were not tried. */
  readonly tangled?: readonly string[];
  /** Lines that only read sources, according to the scripts of the old tree. */
  readonly reading?: readonly string[];
  /** Lines that may require a coverage threshold, according to scripts and settings of the old tree. */
  readonly measuring?: readonly string[];
  /** New tree with the old settings and scripts of linters and type checkers. */
  readonly oldSettings?: {
    readonly tree: string;
    /** The same tree with the old dependencies. */
    readonly oldPackages?: string;
    readonly paths: readonly string[];
    /** Lines that may read these settings. */
    readonly lines: readonly string[];
    /** Lines that are affected only by the required coverage. */
    readonly measuring?: readonly string[];
  };
};

/** `code`: commit of the work, if its documents have a separate commit on top. */
export type CommitResult = { readonly commit: string; readonly branch: string; readonly code?: string };

export type CommitRequest = {
  readonly tree: string;
  readonly rendered: readonly RenderedFile[];
  readonly message: string;
  readonly branch: string;
  readonly parent: string;
  /** Milliseconds. The same request with the same date always gives the same commit id. */
  readonly date: number;
  /** Identity of the commit. Default: the engine's own. */
  readonly identity?: Identity;
  readonly documents?: DocumentsOrder;
};

/** Process documents that the team does not want in the commit of the work. */
export type DocumentsOrder = {
  /** `apart`: a separate commit on top; `none`: no commit; any other value is the folder for them. */
  readonly how: string;
  readonly globs: readonly string[];
  /** Tree without the documents of agents, or with them below the folder. This tree is examined and committed. */
  readonly code: string;
  /** Message of the separate commit. */
  readonly message: string;
};

/**
 * Resets every path of the globs to its content in the commit. The previous content moves below the folder, if one is
 * given.
 */
export type WithoutRequest = {
  readonly tree: string;
  readonly parent: string;
  readonly globs: readonly string[];
  readonly folder?: string;
};

export type WriteRequest = {
  readonly path: string;
  readonly text: string;
  readonly ifHash?: string;
  /** `mirror` is the copy below the run's folder that people can read during the run. */
  readonly to: "checkout" | "mirror";
};

/** Effects of the engine on its environment, as data, so that any worker can perform them. */
export type EffectKinds = {
  readonly attempt: { request: AttemptRequest; result: AttemptResult };
  readonly check: { request: CheckRequest; result: readonly CheckedCommand[] };
  readonly exam: { request: ExamRequest; result: ExamTrees };
  readonly merge: { request: { base: string; trees: readonly string[] }; result: MergeResult };
  readonly commit: { request: CommitRequest; result: CommitResult };
  readonly without: { request: WithoutRequest; result: { tree: string } };
  readonly see: { request: { what: string; args: Json }; result: Json };
  readonly write: { request: WriteRequest; result: WriteResult };
};
export type EffectKind = keyof EffectKinds;

export type Effect<K extends EffectKind = EffectKind> = {
  [Kind in K]: {
    /** `run/key@attempt`. Performing the same id twice never starts the same attempt twice. */
    readonly id: string;
    readonly run: string;
    /**
     * Fence of the claim under which it is started. If two engines start the same effect, the current owner has the
     * higher fence.
     */
    readonly fence?: number;
    readonly kind: Kind;
    readonly request: EffectKinds[Kind]["request"];
  };
}[K];

export type EffectResult<K extends EffectKind = EffectKind> = EffectKinds[K]["result"];
