import type { Finding } from "../authoring/finding.ts";
import type { MergeResult, WriteResult } from "../authoring/verbs.ts";
import type { TestChange } from "../checks/outcome/fewer-tests.ts";
import type { CheckOutcome } from "../checks/outcome/outcome.ts";
import type { TestCounts } from "../checks/reports/test-report.ts";
import type { LostTests, TestFates } from "../checks/tamper/lost-tests.ts";
import type { Failure } from "../failure/failure.ts";
import type { Json } from "../text/json.ts";
import type { Identity } from "./identity.ts";

/** A file that the engine rendered: part of every tree that an agent is shown, and of the commit. */
export type RenderedFile = { readonly path: string; readonly text: string };

/** Which dispatch it is, and which of its attempts. */
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
  /** What the team lets agents change although it is guarded. */
  readonly free?: readonly string[];
  readonly outside?: "drop" | "fail";
  readonly delivers?: readonly string[];
  /** For an attempt after a failed one: which retry it is, and what an unusable answer lacked. */
  readonly retry?: { readonly number: number; readonly because?: string };
  /** A tree: the work of an attempt before, of which only the answer could not be used. The folder begins with it. */
  readonly kept?: string;
  /** Played by the agent named to play instead, or by the one instead of that one. */
  readonly instead?: number;
  /** A person wants another try: what is known of its agent's usage window does not count. */
  readonly anew?: true;
  /** The attempt before was cut off: this one goes on with its conversation, in its folder, where that is still there. */
  readonly continues?: { readonly effect: string; readonly session: string };
  readonly rendered: readonly RenderedFile[];
  /** The tree that the change under work is told from; the repository of the attempt has it as the tag `base`. */
  readonly base?: string;
  /** The tree holds no change yet: nothing but documents of the process tells it from `base`. */
  readonly unchanged?: true;
  /** The project's commands and what is known of them; without it nothing is said of any. */
  readonly checks?: readonly KnownCheck[];
  /** `from`: the tree that people committed; what its set-up made may have been kept. */
  readonly setup?: SetupCommand & { readonly from: string };
  /** Checks whose whole output the agent is given as a file. */
  readonly logs?: readonly CheckLog[];
  /** What was changed before, by this role or on this tree, and not taken. */
  readonly dropped?: readonly DroppedFiles[];
  /** What an earlier run, of which this one does a part again, was refused for there. */
  readonly refused?: readonly Finding[];
  /** What people said when they sent a plan or work of this run back, until it is committed. */
  readonly refusals?: readonly Refusal[];
  /** What people added to their other answers, until the next commit. */
  readonly notes?: readonly AnswerNote[];
};

/** A person's note beside an answer, with the question and the choice it belongs to. */
export type AnswerNote = {
  readonly by: string;
  readonly asked: string;
  readonly choice: string;
  readonly note: string;
};

/** A person's no: to a tree, or to what else a question was about. */
export type Refusal = { readonly by: string; readonly note?: string; readonly asked?: string; readonly tree?: string };

/** A command of the project, and how it ended on the run's first tree and on the one that the agent is given. */
export type KnownCheck = {
  readonly name: string;
  readonly run: string;
  readonly before?: SeenCheck;
  readonly now?: SeenCheck;
};

export type SeenCheck = {
  readonly outcome: CheckOutcome;
  /** `56 tests`, where some were counted. */
  readonly tests?: string;
  readonly failing?: readonly string[];
  /** Why it did not run. */
  readonly because?: string;
};

/** `output` is the folder below the spool of the run. */
export type CheckLog = { readonly name: string; readonly output: string };

/** Changed by an agent, and left out of the tree that was taken from it. */
export type DroppedFiles = {
  readonly by: string;
  readonly paths: readonly string[];
  /** The globs that the agent could write to; without it everything but what is guarded. */
  readonly writes?: readonly string[];
};

export type Usage = { readonly inputTokens?: number; readonly outputTokens?: number; readonly usd?: number };

export type AttemptResult =
  | {
      readonly outcome: "done";
      readonly contract: Json;
      /** Present for roles that write. */
      readonly after?: string;
      readonly changed?: readonly string[];
      readonly outside?: readonly string[];
      readonly usage?: Usage;
      /** How often the agent was asked to say its answer again, in the same conversation. */
      readonly repairs?: number;
      readonly ms: number;
      /** Who played it: the driver, and the model where one was chosen. */
      readonly by?: string;
      /** True when a new engine took the complete output of an interrupted attempt. */
      readonly adopted?: true;
    }
  | {
      readonly outcome: "failed";
      readonly failure: Failure;
      /** The work, as a tree, where only the answer could not be used. */
      readonly kept?: string;
      readonly usage?: Usage;
      readonly ms: number;
      readonly by?: string;
      /** Who could play it instead, where somebody is named. */
      readonly instead?: string;
    }
  /**
   * `session`: the conversation that the next attempt can go on with. `outlives`: only the engine stopped; the attempt
   * itself goes on, and whoever takes the run up again waits for it. `orderly`: whoever performed it was told to stop.
   * `worker`: who that was, or who died with it, where it was another one than the owner.
   */
  | {
      readonly outcome: "interrupted";
      readonly session?: string;
      readonly outlives?: true;
      readonly orderly?: true;
      readonly worker?: string;
    };

/** `cwd`: the folder of the tree that it runs in, where that is not its top. */
export type Command = {
  readonly name: string;
  readonly run: string;
  readonly cwd?: string;
  /** Its test programs are asked for reports unless this says no: for a command that does not bear being asked. */
  readonly asked?: false;
};

/** Prepares a checkout before its checks; only with a lock file can what it makes be kept. */
export type SetupCommand = { readonly run: string; readonly lockFile?: string };

/** The engine's own checks: what changed since a baseline, and whether it may have. */
export type Inspection = {
  readonly baseline: string;
  /** Globs of what was declared beforehand; without it `scope` is not asked. */
  readonly declared?: readonly string[];
  readonly protectedPaths: readonly string[];
  /** How many tests each command saw on both trees: a table of cases instead of single tests is no loss. */
  readonly testCounts?: readonly TestChange[];
  /** Looks for lost tests among these files of the exam, and at nothing else. */
  readonly tests?: TestFates & {
    readonly paths: readonly string[];
    /** Changed files of the code, which may act on the tests. */
    readonly sources?: readonly string[];
  };
};

export type CheckRequest = {
  readonly tree: string;
  readonly commands: readonly Command[];
  readonly setup?: SetupCommand;
  /** People committed this tree: what its set-up makes may be kept. Of a tree that an agent wrote nothing is. */
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
  /** The end of what it printed, at most 500 characters. */
  readonly snippet: string;
  /** Of one that is not green: what tells of the failure, with head and tail of the rest. */
  readonly excerpt?: string;
  /** Where all that it printed lies, below the spool of the run. */
  readonly output?: string;
  /** Why it says nothing about the tree: a program that is missing, a set-up that failed, a report that is torn. */
  readonly notRun?: string;
  /** It ran as it stands: asked for a report, it left none that could be read. */
  readonly unasked?: true;
  /** Where a report, or what it printed, says what became of its tests. */
  readonly tests?: TestCounts;
  /** What a check of the engine's own has found. */
  readonly findings?: readonly Finding[];
  /** Those of them that an exam can decide. */
  readonly suspected?: readonly Finding[];
  /** It printed that the code is covered less than demanded. */
  readonly isShortOfCoverage?: true;
  /** Lost tests, and what the change did to the files of the exam, line by line. */
  readonly lost?: LostTests & { readonly diff: readonly string[] };
};

/**
 * Two more trees out of two: a change is examined by putting the old exam on its code and its exam on the old code.
 * The exam is test files, what only tests use, snapshots, the settings of test programs and how they are started.
 */
/** Globs of what belongs to the tests and of what belongs to the code: a person's word, over what names tell. */
export type ExamHalves = { readonly tests: readonly string[]; readonly code: readonly string[] };

export type ExamRequest = {
  readonly old: string;
  readonly new: string;
  readonly halves?: ExamHalves;
  /** The project's commands and its set-up, as they are run: what they start is the exam too. */
  readonly lines?: readonly string[];
  /** Files that tests were seen to come from, on either tree. */
  readonly collected?: readonly string[];
};

export type ExamTrees = {
  /** What the change did to the exam, and to the rest. */
  readonly exam: readonly string[];
  readonly code: readonly string[];
  /** The new code with the old exam; absent where the exam is as it was, because that is the new tree itself. */
  readonly oldOnNew?: string;
  /** The old code with the new exam; absent where the exam is as it was. */
  readonly newOnOld?: string;
  /** `oldOnNew` with the old dependencies too: sat where the first cannot be, because the change took a package away. */
  readonly oldOnNewOldPackages?: string;
  /** Parts of the exam that could not be told from the code around them. */
  readonly inseparable: readonly string[];
  /** Files by which packages that were installed before are taken from another place, or have other content. */
  readonly replaced?: readonly { readonly path: string; readonly packages: readonly string[] }[];
  /** `oldOnNew` with these files of the other half, because nobody can say for sure which half they belong to. */
  readonly doubtful?: readonly {
    readonly tree: string;
    readonly paths: readonly string[];
    /** In a mixture: these are as they were, and the paths as they are now. */
    readonly was?: readonly string[];
  }[];
  /** `oldOnNew` with other files around it, because code can look what lies there. */
  readonly around?: readonly {
    readonly tree: string;
    readonly paths: readonly string[];
    /**
     * These are new and left where they are; are new and taken away; are as they were, because only tests import them;
     * install packages for development as they did.
     */
    readonly how: "beside" | "without" | "was" | "packages";
    /** The same with new tests that are there and empty. */
    readonly emptied?: string;
    /** Code of the change can read what lies around it. */
    readonly looks?: boolean;
  }[];
  /** So many of such files that nobody has tried which go together. */
  readonly tangled?: readonly string[];
  /** Those of the lines that, by the scripts of the old tree, only read sources. */
  readonly reading?: readonly string[];
  /** Those of the lines that, by scripts and settings of the old tree, may demand a coverage of the code. */
  readonly measuring?: readonly string[];
  /** The new tree with settings and scripts of linters and type checkers as they were. */
  readonly oldSettings?: {
    readonly tree: string;
    /** The same with the old dependencies. */
    readonly oldPackages?: string;
    readonly paths: readonly string[];
    /** Those of the lines that may read them. */
    readonly lines: readonly string[];
    /** Those of these lines that they concern by the coverage that they demand alone. */
    readonly measuring?: readonly string[];
  };
};

/** `code`: the commit of the work, where that of its documents came on top. */
export type CommitResult = { readonly commit: string; readonly branch: string; readonly code?: string };

export type CommitRequest = {
  readonly tree: string;
  readonly rendered: readonly RenderedFile[];
  readonly message: string;
  readonly branch: string;
  readonly parent: string;
  /** Milliseconds: with it the same request always gives the same commit id. */
  readonly date: number;
  /** In whose name; without it in the engine's own. */
  readonly identity?: Identity;
  readonly documents?: DocumentsOrder;
};

/** Documents of the process, where the team does not want them in the commit of the work. */
export type DocumentsOrder = {
  /** `apart`: a commit of their own on top; `none`: no commit; anything else is the folder that they go below. */
  readonly how: string;
  readonly globs: readonly string[];
  /** The tree without those that agents have left in it, or with them below the folder: what is examined and committed. */
  readonly code: string;
  /** Of the commit of their own. */
  readonly message: string;
};

/** The tree with every path of the globs as the commit has it; what it was before lies below the folder, where one is named. */
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
  /** `mirror` is the copy below the run's folder that people can read while it goes on. */
  readonly to: "checkout" | "mirror";
};

/** What the engine does to the world, as data: a worker anywhere can perform it. */
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
    /** `run/key@attempt`: performing the same id twice never starts the same attempt twice. */
    readonly id: string;
    readonly run: string;
    /** Of the claim under which it is begun: of two engines that begin the same effect, the one that took over has the higher. */
    readonly fence?: number;
    readonly kind: Kind;
    readonly request: EffectKinds[Kind]["request"];
  };
}[K];

export type EffectResult<K extends EffectKind = EffectKind> = EffectKinds[K]["result"];
