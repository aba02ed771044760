import type { BranchState, Change, CheckoutState, FileContent, Head } from "../authoring/observations.ts";
import type { MergeResult } from "../authoring/verbs.ts";
import type { RenderedFile } from "../journal/effect.ts";
import type { Identity } from "../journal/identity.ts";

export type WorkFolder = {
  /** A repository of its own, outside the user's, with the tree's files in it. */
  readonly dir: string;
  /** Removes the directory. Nothing in it is needed any more: a snapshot was taken or the work is discarded. */
  close(): Promise<void>;
  /** Lets it stand for whoever reopens it; from here on it is not this process's to remove. */
  leave(): Promise<void>;
  /** Puts every file of the tree back as the tree has it; what is beside them stays. */
  restore(): Promise<void>;
  /** What is put beside the tree's files before anybody works there: once, and all who share it are told what it gave. */
  fill<T>(work: () => Promise<T>): Promise<T>;
  /** Puts what a set-up made beside the tree's files; false where it could not be copied, or not as it should be. */
  place(setup: SetupOrder): Promise<boolean>;
  /** Where it holds only some folders of the tree. */
  readonly part?: Part;
};

/** What somebody may write in, of a folder that others read too: he is shown `of` in the place of his own, and `own` in it. */
export type Part = { readonly of: string; readonly own: readonly string[] };

/** What a set-up made, to be copied, or taken over from a folder that had it before and has it still. */
export type SetupOrder = {
  readonly key: string;
  /** Topmost paths. */
  readonly made: readonly string[];
  /** All of it, folders before what is in them. */
  readonly entries: readonly { readonly path: string; readonly kind: "file" | "folder" | "link" }[];
  /** All of it, or these files and links; false where a copy is not what it should be. */
  copy(to: string, paths?: ReadonlySet<string>): Promise<boolean>;
};

export type OpenOptions = {
  /** A tag of that name holds that tree, and the folder's own history begins from it. */
  readonly base?: string | undefined;
  /**
   * Whoever works there has ended when the folder is closed, with all that it started: then its files may serve another.
   * `files`: nobody could write there but who it was opened for.
   */
  readonly confined?: { readonly files: boolean } | undefined;
  /**
   * Whoever it is for cannot write there: those who open a tree with the same key for a run may have one folder.
   * `own`: folders in which he can. Then he gets these alone, and sees the rest by way of a sandbox; or a whole folder,
   * where the tree is small or has something else in their place.
   */
  readonly share?:
    | { readonly run: string; readonly key: string; readonly own?: readonly string[] | undefined }
    | undefined;
};

export type Seizure = {
  readonly dir: string;
  readonly name: string;
  /** Told its new place before it is there: whoever had it can know by then that it has not. */
  announce(dir: string): Promise<void>;
};

export type SnapshotOptions = {
  /** The tree that was opened. */
  readonly opened: string;
  /** The tree that the taken changes are put on; `opened` without the files that the engine rendered. */
  readonly onto: string;
  /** Globs of what may change; without it everything. */
  readonly writes?: readonly string[];
  /** Paths that are never taken, whatever `writes` says: what the engine renders itself. */
  readonly kept?: readonly string[];
  /** Globs of files that agents take orders from and that a team lets them change; the others need their very name. */
  readonly free?: readonly string[];
  /** What the engine itself laid beside the tree's files: ignored, whatever the tree's own rules say. */
  readonly laid?: readonly string[];
};

export type Snapshot = {
  readonly tree: string;
  readonly changed: readonly string[];
  /** Changed, but not taken. */
  readonly outside: readonly string[];
};

export type ComposeOrder = {
  readonly from: string;
  readonly paths: readonly string[];
  /** Put in last. */
  readonly texts: readonly RenderedFile[];
};

/** A line of a text file, and where it stands. */
export type Mention = { readonly path: string; readonly text: string };

/** A file that differs between two trees, and how many of its lines. */
export type ChangedFile = {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: "A" | "M" | "D" | "R";
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
};

export type AnchorOrder = {
  readonly run: string;
  readonly chain: string;
  /** Asked of the anchor that is there already; where it throws, nothing is put over it. */
  requireHeld(earlier: string): Promise<void>;
};

/** By the journal: the tree that a run left, and the commit that it ended with or began from. */
export type LeftWork = { readonly tree: string; readonly parent: string };

export type CommitOrder = {
  readonly run: string;
  readonly tree: string;
  readonly message: string;
  readonly branch: string;
  readonly parent: string;
  readonly date: number;
  /** In whose name; without it in the engine's own. */
  readonly identity?: Identity;
};

/** Which work moves the user's branch, and when. */
type MoveOrder = {
  readonly run: string;
  readonly date: number;
  /** In whose name a merge or a revert is made; without it in the engine's own. */
  readonly identity?: Identity | undefined;
  /** Files that the engine itself keeps in the checkout: they stay as they are, whatever the commit has there. */
  readonly kept?: readonly string[];
};
/** A file that a run wrote into its checkout, by its journal. */
export type RunFile = { readonly path: string; isWritten(text: string): boolean };
/** What a run's journal says about the checkout that the run's owners keep on the git remote. */
export type JournaledCheckout = {
  /** The commit that the run started with; absent in journals of earlier versions. */
  readonly start: string | undefined;
  /** Returns whether the run itself wrote this text to this path, or put it back. */
  isOwnText(path: string, text: string): boolean;
};
/** All of them, and what tells a person's edit from what the run found there. */
export type RunFiles = {
  /** The tree that the run began from. */
  readonly base: string;
  /** SHA-256 of each file that the run read or wrote. */
  readonly known: ReadonlySet<string>;
  readonly written: readonly RunFile[];
};

/** `commit` is the newest of the run's own; `files` are brought where a team's run has a checkout of its own. */
export type LandOrder = MoveOrder & {
  readonly commit: string;
  /** All commits that the run made; without it `commit` alone. */
  readonly own?: readonly string[];
  /** Other commits that a person lets the branch take along. */
  readonly others?: "all" | readonly string[];
  readonly files?: RunFiles;
};

/** A commit that the run started from, that the branch does not have and that the run did not make. */
export type ForeignCommit = { readonly commit: string; readonly subject: string };
/** All of the run's own commits, in any order. */
export type RevertOrder = MoveOrder & { readonly commits: readonly string[] };

/** What became of the user's files after their branch had moved. */
export type CheckoutMoved =
  | {
      readonly updated: true;
      /** Files that an earlier call had left half written; they are whole now. */
      readonly completed?: readonly string[];
    }
  /**
   * The branch holds the work; the files do not, until this command was run or the same call is made again. `edits`: the
   * user's own changes are in the way; `machine`: git could not write, as on a full disk.
   */
  | {
      readonly updated: false;
      readonly cause: "edits" | "machine";
      readonly because: string;
      readonly command: string;
    };

type BranchUpdate = {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
  readonly checkout: CheckoutMoved;
};
type Conflicts = { readonly status: "conflicts"; readonly branch: string; readonly paths: readonly string[] };

/**
 * Files that a run of a team wrote into its own checkout, and that came into the person's; `edited` are theirs by now,
 * `refused` lie there too and are none that the run wrote.
 */
export type Brought = {
  readonly brought: readonly string[];
  readonly edited: readonly string[];
  readonly refused: readonly string[];
};

export type LandResult =
  | (BranchUpdate & {
      readonly status: "landed";
      readonly by: "fast-forward" | "merge";
      /** Commits that are not the run's and came along. */
      readonly others?: readonly ForeignCommit[];
      /** In a team. */
      readonly files?: Brought;
    })
  /** Nothing was moved: the branch would also take these commits, and nobody has agreed to that. */
  | { readonly status: "foreign"; readonly branch: string; readonly commits: readonly ForeignCommit[] }
  /** The branch had it before. Files that an interrupted call left behind were brought up now. */
  | {
      readonly status: "already";
      readonly branch: string;
      readonly checkout: CheckoutMoved;
      /** The commit that took it back later; `git revert` of that one brings the work again. */
      readonly revertedBy?: string;
      readonly files?: Brought;
    }
  | Conflicts;

/** What a taken back run has brought and others beside it too: it stays until theirs is taken back as well. */
export type SharedWork = {
  readonly paths: readonly string[];
  readonly by: readonly { readonly commit: string; readonly run: string | null }[];
};

export type RevertResult =
  | (BranchUpdate & { readonly status: "reverted"; readonly shared?: SharedWork })
  | { readonly status: "already"; readonly branch: string; readonly checkout: CheckoutMoved }
  /** Nothing of the run is on the branch. What holds its commits, and how a person drops that. */
  | { readonly status: "unlanded"; readonly branch: string; readonly on: readonly string[]; readonly command: string }
  | Conflicts;

export type Sizes = {
  /** `bytes`: what no branch, tag or remote has in its newest commit, on disk; about what `gc` can free. */
  readonly runs: readonly { readonly run: string; readonly refs: number; readonly bytes: number }[];
  readonly attempts: readonly { readonly dir: string; readonly bytes: number; readonly alive: boolean }[];
  /** The engine's own git directory. */
  readonly cache: number;
};

/** A finished run that may go; `commit` is its last, where it made one. */
export type Disposable = {
  readonly run: string;
  readonly commit?: string;
  /** A tree of it that no commit holds and that can still be taken. */
  readonly tree?: string;
  /** Its snapshots go even though its commit is on no branch; the commit itself stays pinned. */
  readonly force?: boolean;
};

export type GcOrder = {
  readonly runs: readonly Disposable[];
  readonly dryRun: boolean;
  /** In a team: the runs' refs on the remote go too, for everybody; without it only this clone's copies. */
  readonly shared?: boolean;
};

export type GcResult = {
  /** Refs, folders and files; with `printRunPlan` those that would go. */
  readonly removed: readonly string[];
  readonly kept: readonly { readonly what: string; readonly because: string }[];
  readonly bytes: number;
};

/** In a team, the id of the commit that holds the checkout. The journal keeps it, because anybody can move its ref. */
export type BegunCheckout = { readonly checkout?: string };

/** Where a run begins, and what of the checkout there it may look at beside the commit. */
export type Beginning = {
  readonly commit: string;
  /** Files and folders that git ignores and that pipelines keep their books in. */
  readonly books: readonly string[];
  /** Of what was changed and not committed; without it all of it. */
  readonly changed?: readonly string[];
};

/**
 * Git by plumbing. A tree is a value; the user's checkout, index, config, refs outside `refs/signalbox/` and the
 * run's own branch, stash and hooks are never touched, and no code of the repository runs (hooks, filters, fsmonitor).
 * Only `land` and `revert` move the user's branch and, last and only where it is clean, the checkout.
 */
export interface Workspace {
  /**
   * As a piece of work for one run sees it. In a team the checkout is then the run's own, which its owner keeps on the
   * remote, and what is asked about is obtained from there; embedded it is all the same. `fence`: of who works.
   */
  of(run: string, fence?: number): Workspace;
  /** Stores what a run starts from: the commit, and in a team the checkout as it is here, for whoever works on the run. */
  begin(run: string, at: Beginning): Promise<BegunCheckout>;
  /** What was pinned and held for the run is where its next owner finds it, whichever machine that is. */
  publish(): Promise<void>;
  head(): Promise<Head>;
  state(): Promise<CheckoutState>;
  /** A file of the checkout, or of a tree; null where there is none or it is not a regular file. */
  file(path: string, tree?: string): Promise<FileContent>;
  files(under: string, tree?: string): Promise<readonly string[]>;
  /** All files of the checkout below a folder, ignored ones too. */
  filesOnDisk(under: string): Promise<readonly string[]>;
  /** Null where there is no such branch. */
  branch(name: string): Promise<BranchState | null>;
  changes(from: string, to: string): Promise<readonly Change[]>;
  /** The tree of HEAD with what the checkout has at these paths; nothing of the user's moves. */
  dirt(paths: readonly string[]): Promise<string>;
  open(tree: string, name: string, options?: OpenOptions): Promise<WorkFolder>;
  /** Hides these paths of a folder that was opened from whoever asks git there what is new. */
  hide(dir: string, paths: readonly string[]): Promise<void>;
  /** Folders of git objects that every opened repository reads and none may write. */
  borrowed(): Promise<readonly string[]>;
  /** A folder that was opened before, as it is; undefined where it is gone, or another process may still work in it. */
  reopen(dir: string, name: string): Promise<WorkFolder | undefined>;
  /** A folder that was opened before, where it is, whoever opened it: for work that nobody on this machine started. */
  share(dir: string, name: string): Promise<WorkFolder | undefined>;
  /** A folder that somebody else may still work in, taken from under him to a new place; undefined where it is gone. */
  seize(order: Seizure): Promise<WorkFolder | undefined>;
  /** Removes all that was opened for the run: nobody works for it any more. */
  abandon(run: string): Promise<void>;
  /** Resolves when what is closed is also removed, or ready for another; nobody needs to wait for it. */
  settled(): Promise<void>;
  snapshot(dir: string, options: SnapshotOptions): Promise<Snapshot>;
  /** The tree with these files replaced. */
  render(tree: string, files: readonly RenderedFile[]): Promise<string>;
  /** The tree with each path as `from` has it, removed where it has none; what stands in its way goes. */
  compose(tree: string, order: ComposeOrder): Promise<string>;
  /** Lines of the tree's text files that hold one of the words; undefined where there are too many to be held. */
  mentions(tree: string, words: readonly string[]): Promise<readonly Mention[] | undefined>;
  /** In order; says which tree conflicts and where. */
  merge(base: string, trees: readonly string[]): Promise<MergeResult>;
  /** The same order always gives the same commit; an order that was already carried out changes nothing. */
  commit(order: CommitOrder): Promise<{ readonly commit: string; readonly branch: string }>;
  /** A commit of what a run left, on no branch yet, which the run's refs hold; a run has at most one. */
  take(order: Omit<CommitOrder, "branch">): Promise<string>;
  /** The one that was made so, of this work; what else the run's ref names counts for nothing. */
  taken(run: string, work: LeftWork): Promise<string | undefined>;
  /** Keeps the tree reachable for as long as the run is remembered. */
  pin(run: string, tree: string): Promise<void>;
  /** Keeps a commit that the run began from or looked at reachable, whatever becomes of its branch. */
  hold(run: string, commit: string): Promise<void>;
  /** Copies what a resting run needs and no branch holds to where no other git comes. */
  keep(run: string): Promise<void>;
  /** Puts back from that copy what was deleted meanwhile. */
  restore(run: string): Promise<void>;
  /** Replaces a file of the checkout atomically; refused when `ifHash` is given and differs. */
  write(path: string, text: string, ifHash?: string): Promise<{ readonly hash: string }>;
  /** Takes the run's work onto the current branch. The same call again changes nothing, or finishes what was begun. */
  land(order: LandOrder): Promise<LandResult>;
  /** Takes exactly the run's own commits back, newest first, by one commit on the current branch. */
  revert(order: RevertOrder): Promise<RevertResult>;
  sizes(): Promise<Sizes>;
  /** Removes what is held elsewhere too, or belongs to these runs; what is on no branch is pinned instead. */
  gc(order: GcOrder): Promise<GcResult>;
  /** Unified text between two commits or trees, of the paths that `only` names; cut with a note when it is very long. */
  diff(from: string, to: string, only?: readonly string[]): Promise<string>;
  /** Every file that differs between two commits or trees, a rename as one. */
  changedFiles(from: string, to: string): Promise<readonly ChangedFile[]>;
  /** Unified text of exactly these files; `cut` where there is more of it than can be held. */
  patch(from: string, to: string, paths: readonly string[]): Promise<{ readonly text: string; readonly cut: boolean }>;
  /** Keeps the head of the journal's hash chain where the database cannot reach it. */
  anchor(order: AnchorOrder): Promise<void>;
  /** All that are kept, the newest first: a team's remote has every one, a repository of one's own the last. */
  anchored(run: string): Promise<readonly string[]>;
  /** The journal holds those that were read last: in a team this clone keeps them, whatever becomes of the remote's. */
  holdAnchors(run: string): Promise<void>;
  /** What is done in the body ends with the signal: it leaves nothing running and nothing half written. */
  owned<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T>;
}
