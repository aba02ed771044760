import type { BranchState, Change, CheckoutState, FileContent, Head } from "../authoring/observations.ts";
import type { MergeResult } from "../authoring/verbs.ts";
import type { RenderedFile } from "../journal/effect.ts";
import type { Identity } from "../journal/identity.ts";

export type WorkFolder = {
  /** Separate repository, outside the user's, with the files of the tree. */
  readonly dir: string;
  /** Removes the directory. Its content is no longer needed: a snapshot was taken or the work is discarded. */
  close(): Promise<void>;
  /** Leaves the directory in place for a later `reopen`. This process does not remove it any more. */
  leave(): Promise<void>;
  /** Resets every file of the tree to its content in the tree. Other files stay. */
  restore(): Promise<void>;
  /**
   * Runs the preparation of the untracked files once, before anyone works in the folder. Everyone who shares the folder
   * gets its result.
   */
  fill<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Puts the result of a set-up beside the files of the tree. Returns false if it could not be copied, or not
   * correctly.
   */
  place(setup: SetupOrder): Promise<boolean>;
  /** Set if the folder contains only some folders of the tree. */
  readonly part?: FolderPart;
};

/**
 * Writable part of a shared folder: its user sees `of` in place of the own folder, with the folders in `own` from the
 * own one.
 */
export type FolderPart = { readonly of: string; readonly own: readonly string[] };

/** Result of a set-up, to be copied, or taken over from a folder that already has it. */
export type SetupOrder = {
  readonly key: string;
  /** Topmost paths. */
  readonly made: readonly string[];
  /** All entries, folders before their content. */
  readonly entries: readonly { readonly path: string; readonly kind: "file" | "folder" | "link" }[];
  /** Copies everything, or only these files and links. Returns false if a copy is not as it should be. */
  copy(to: string, paths?: ReadonlySet<string>): Promise<boolean>;
};

export type OpenOptions = {
  /** Tree for the tag of that name, from which the folder's own history starts. */
  readonly base?: string | undefined;
  /**
   * Every process in the folder has ended when it is closed, so its files may be reused. `files`: no other process
   * could write in it.
   */
  readonly confined?: { readonly files: boolean } | undefined;
  /**
   * The user of the folder cannot write in it, so everyone who opens a tree with the same key for a run may share one
   * folder. `own`: folders in which the user can write. Then only these are created and a sandbox shows the rest, or
   * the whole folder is created if the tree is small or has something else at their place.
   */
  readonly share?:
    | { readonly run: string; readonly key: string; readonly own?: readonly string[] | undefined }
    | undefined;
};

export type SeizeOrder = {
  readonly dir: string;
  readonly name: string;
  /** Reports the new location before the move, so that the previous user can know by then that the folder is lost. */
  announce(dir: string): Promise<void>;
};

export type SnapshotOptions = {
  /** Tree that was opened. */
  readonly opened: string;
  /** Tree to which the taken changes are applied: `opened` without the files that the engine rendered. */
  readonly onto: string;
  /** Globs of files that may change. Absent: all. */
  readonly writes?: readonly string[];
  /** Paths that are never taken, regardless of `writes`: files that the engine renders itself. */
  readonly kept?: readonly string[];
  /**
   * Globs of agent instruction files that the team lets agents change. Other instruction files must be named exactly.
   */
  readonly free?: readonly string[];
  /**
   * Paths that the engine itself put beside the files of the tree. They are ignored, regardless of the tree's own
   * rules.
   */
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
  /** Applied last. */
  readonly texts: readonly RenderedFile[];
};

/** Line of a text file, with its path. */
export type TextMention = { readonly path: string; readonly text: string };

/** File that differs between two trees, with its numbers of added and removed lines. */
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
  /** Checks the existing anchor. If it throws, the anchor is not replaced. */
  requireHeld(earlier: string): Promise<void>;
};

/** Final tree of a run according to its journal, and the commit that it ended with or started from. */
export type FinalWork = { readonly tree: string; readonly parent: string };

export type CommitOrder = {
  readonly run: string;
  readonly tree: string;
  readonly message: string;
  readonly branch: string;
  readonly parent: string;
  readonly date: number;
  /** Identity of the commit. Default: the engine's own. */
  readonly identity?: Identity;
};

/** Run whose work moves the user's branch, and the date. */
type MoveOrder = {
  readonly run: string;
  readonly date: number;
  /** Identity for a merge or revert. Default: the engine's own. */
  readonly identity?: Identity | undefined;
  /** Files that the engine keeps in the checkout. They stay unchanged, whatever the commit contains. */
  readonly kept?: readonly string[];
};
/** File that a run wrote into its checkout, according to its journal. */
export type RunFile = { readonly path: string; isWritten(text: string): boolean };
/** Statements of a run's journal about the checkout that the run's owners keep on the git remote. */
export type JournaledCheckout = {
  /** The commit that the run started with; absent in journals of earlier versions. */
  readonly start: string | undefined;
  /** Returns whether the run itself wrote this text to this path, or put it back. */
  isOwnText(path: string, text: string): boolean;
};
/** Files of a run, and the data that distinguishes a person's edit from the state that the run found. */
export type RunFiles = {
  /** Tree that the run started from. */
  readonly base: string;
  /** SHA-256 of each file that the run read or wrote. */
  readonly known: ReadonlySet<string>;
  readonly written: readonly RunFile[];
};

/** `commit` is the newest commit of the run. `files` are copied from the run's own checkout, in a team. */
export type LandOrder = MoveOrder & {
  readonly commit: string;
  /** All commits of the run. Default: only `commit`. */
  readonly own?: readonly string[];
  /** Other commits that a person allows to be landed with them. */
  readonly others?: "all" | readonly string[];
  readonly files?: RunFiles;
};

/** Commit that the run started from, that is not on the branch and was not made by the run. */
export type ForeignCommit = { readonly commit: string; readonly subject: string };
/** All commits of the run, in any order. */
export type RevertOrder = MoveOrder & { readonly commits: readonly string[] };

/** State of the user's files after the branch has moved. */
export type CheckoutUpdate =
  | {
      readonly updated: true;
      /** Files that an earlier call had written only partly and this call completed. */
      readonly completed?: readonly string[];
    }
  /**
   * The branch contains the work, but the files do not until this command or the same call is run. `edits`: the user's
   * changes are in the way; `machine`: git could not write, for example because the disk is full.
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
  readonly checkout: CheckoutUpdate;
};
type Conflicts = { readonly status: "conflicts"; readonly branch: string; readonly paths: readonly string[] };

/**
 * Files that a team run wrote into its own checkout and that were copied to the person's checkout. `edited` have been
 * changed by the person since; `refused` exist there and were not written by the run.
 */
export type CopiedRunFiles = {
  readonly brought: readonly string[];
  readonly edited: readonly string[];
  readonly refused: readonly string[];
};

export type LandResult =
  | (BranchUpdate & {
      readonly status: "landed";
      readonly by: "fast-forward" | "merge";
      /** Landed commits that are not the run's. */
      readonly others?: readonly ForeignCommit[];
      /** Set in a team. */
      readonly files?: CopiedRunFiles;
    })
  /** No branch was moved: it would also receive these commits, and nobody has agreed to that. */
  | { readonly status: "foreign"; readonly branch: string; readonly commits: readonly ForeignCommit[] }
  /** The branch already contained the work. Files left behind by an interrupted call were updated. */
  | {
      readonly status: "already";
      readonly branch: string;
      readonly checkout: CheckoutUpdate;
      /** Commit that reverted the work later. `git revert` of it restores the work. */
      readonly revertedBy?: string;
      readonly files?: CopiedRunFiles;
    }
  | Conflicts;

/** Changes that both the reverted run and other runs contain. They stay until the others are reverted too. */
export type SharedWork = {
  readonly paths: readonly string[];
  readonly by: readonly { readonly commit: string; readonly run: string | null }[];
};

export type RevertResult =
  | (BranchUpdate & { readonly status: "reverted"; readonly shared?: SharedWork })
  | { readonly status: "already"; readonly branch: string; readonly checkout: CheckoutUpdate }
  /** No work of the run is on the branch. Contains the refs that hold its commits, and the command that drops them. */
  | { readonly status: "unlanded"; readonly branch: string; readonly on: readonly string[]; readonly command: string }
  | Conflicts;

export type StorageSizes = {
  /** `bytes`: disk size of what no newest commit of a branch, tag or remote contains, roughly what `gc` can free. */
  readonly runs: readonly { readonly run: string; readonly refs: number; readonly bytes: number }[];
  readonly attempts: readonly { readonly dir: string; readonly bytes: number; readonly alive: boolean }[];
  /** Git directory of the engine. */
  readonly cache: number;
};

/** Finished run that may be removed; `commit` is its last commit, if any. */
export type DisposableRun = {
  readonly run: string;
  readonly commit?: string;
  /** Tree of the run that no commit contains and that can still be taken. */
  readonly tree?: string;
  /** Removes its snapshots even if its commit is on no branch. The commit itself stays pinned. */
  readonly force?: boolean;
};

export type GcOrder = {
  readonly runs: readonly DisposableRun[];
  readonly dryRun: boolean;
  /** Also deletes the runs' refs on the team's remote, for everyone. Absent: only this clone's copies. */
  readonly shared?: boolean;
};

export type GcResult = {
  /** Removed refs, folders and files; with `dryRun` those that would be removed. */
  readonly removed: readonly string[];
  readonly kept: readonly { readonly what: string; readonly because: string }[];
  readonly bytes: number;
};

/** In a team, the commit that contains the checkout. The journal records its id, because anyone can move the ref. */
export type StoredCheckout = { readonly checkout?: string };

/** Starting point of a run, and the parts of the checkout that it may read besides the commit. */
export type RunStartState = {
  readonly commit: string;
  /** Ignored files and folders in which pipelines keep their records. */
  readonly books: readonly string[];
  /** Uncommitted changes to include. Default: all. */
  readonly changed?: readonly string[];
};

/**
 * Access to git through plumbing commands.
 *
 * A tree is a value. The user's checkout, index, config, stash, hooks, and refs outside `refs/signalbox/` and the run's
 * own branch are never touched, and no code of the repository runs (hooks, filters, fsmonitor). Only `land` and
 * `revert` move the user's branch and, last and only if it is clean, the checkout.
 */
export interface Workspace {
  /**
   * Returns the workspace as one run sees it. In a team its checkout is the run's own, which the owner keeps on the
   * remote, and objects are fetched from there; embedded it is the same workspace. `fence`: the fence of the caller.
   */
  of(run: string, fence?: number): Workspace;
  /** Stores the starting point of a run: the commit and, in a team, the current checkout for every later owner. */
  begin(run: string, at: RunStartState): Promise<StoredCheckout>;
  /** Publishes everything pinned and held for the run, so that its next owner finds it on any machine. */
  publish(): Promise<void>;
  head(): Promise<Head>;
  state(): Promise<CheckoutState>;
  /** Reads a file of the checkout or of a tree. Returns null if it does not exist or is not a regular file. */
  file(path: string, tree?: string): Promise<FileContent>;
  files(under: string, tree?: string): Promise<readonly string[]>;
  /** Lists all files of the checkout below a folder, including ignored ones. */
  filesOnDisk(under: string): Promise<readonly string[]>;
  /** Returns null if the branch does not exist. */
  branch(name: string): Promise<BranchState | null>;
  changes(from: string, to: string): Promise<readonly Change[]>;
  /** Returns the tree of HEAD with the checkout's content of these paths. Nothing of the user's changes. */
  dirt(paths: readonly string[]): Promise<string>;
  open(tree: string, name: string, options?: OpenOptions): Promise<WorkFolder>;
  /** Hides these paths of an opened folder from git's status. */
  hide(dir: string, paths: readonly string[]): Promise<void>;
  /** Lists the folders of git objects that every opened repository reads and none may write. */
  borrowed(): Promise<readonly string[]>;
  /** Opens an existing folder unchanged. Returns undefined if it is gone, or another process may still use it. */
  reopen(dir: string, name: string): Promise<WorkFolder | undefined>;
  /** Opens an existing folder in place, whoever opened it, for an agent that nobody on this machine started. */
  share(dir: string, name: string): Promise<WorkFolder | undefined>;
  /** Moves a folder that another process may still use to a new location. Returns undefined if it is gone. */
  seize(order: SeizeOrder): Promise<WorkFolder | undefined>;
  /** Removes every folder that was opened for the run, when nobody works for it any more. */
  abandon(run: string): Promise<void>;
  /** Resolves when closed folders are removed or ready for reuse. Waiting is optional. */
  settled(): Promise<void>;
  snapshot(dir: string, options: SnapshotOptions): Promise<Snapshot>;
  /** Returns the tree with these files replaced. */
  render(tree: string, files: readonly RenderedFile[]): Promise<string>;
  /** Returns the tree with each path as in `from`, or without it if `from` has none. Conflicting paths are removed. */
  compose(tree: string, order: ComposeOrder): Promise<string>;
  /** Finds lines of the tree's text files that contain one of the words. Returns undefined if there are too many. */
  mentions(tree: string, words: readonly string[]): Promise<readonly TextMention[] | undefined>;
  /** Merges in order. Reports the conflicting tree and its paths. */
  merge(base: string, trees: readonly string[]): Promise<MergeResult>;
  /** Creates a commit. The same order always gives the same commit; a completed order changes nothing. */
  commit(order: CommitOrder): Promise<{ readonly commit: string; readonly branch: string }>;
  /** Commits the final tree of a run without a branch. The run's refs hold the commit; a run has at most one. */
  take(order: Omit<CommitOrder, "branch">): Promise<string>;
  /** Finds the commit that `take` created for this work. Any other target of the run's ref is ignored. */
  taken(run: string, work: FinalWork): Promise<string | undefined>;
  /** Keeps the tree reachable until the run is removed. */
  pin(run: string, tree: string): Promise<void>;
  /** Keeps a commit that the run started from or read reachable, even if its branch is deleted. */
  hold(run: string, commit: string): Promise<void>;
  /** Copies the objects that a suspended run needs and no branch holds to a location that no other git uses. */
  keep(run: string): Promise<void>;
  /** Restores objects from that copy that were deleted meanwhile. */
  restore(run: string): Promise<void>;
  /** Replaces a file of the checkout atomically. Refused if `ifHash` is given and differs. */
  write(path: string, text: string, ifHash?: string): Promise<{ readonly hash: string }>;
  /**
   * Merges the run's work into the current branch. Repeating the call changes nothing, or completes an interrupted one.
   */
  land(order: LandOrder): Promise<LandResult>;
  /** Reverts exactly the run's commits, newest first, with one commit on the current branch. */
  revert(order: RevertOrder): Promise<RevertResult>;
  sizes(): Promise<StorageSizes>;
  /**
   * Removes everything that is stored elsewhere too or belongs to these runs. Commits on no branch are pinned instead.
   */
  gc(order: GcOrder): Promise<GcResult>;
  /**
   * Returns the unified diff between two commits or trees, limited to `only`. A very long diff is truncated with a
   * note.
   */
  diff(from: string, to: string, only?: readonly string[]): Promise<string>;
  /** Lists every file that differs between two commits or trees; a rename is one entry. */
  changedFiles(from: string, to: string): Promise<readonly ChangedFile[]>;
  /** Returns the unified diff of exactly these files. `cut` is set if it was too long. */
  patch(from: string, to: string, paths: readonly string[]): Promise<{ readonly text: string; readonly cut: boolean }>;
  /** Stores the head of the journal's hash chain outside the database. */
  anchor(order: AnchorOrder): Promise<void>;
  /** Lists all stored anchors, newest first: every one in a team's remote, only the last in a local repository. */
  anchored(run: string): Promise<readonly string[]>;
  /**
   * Called after the journal was verified against the last listed anchors. In a team this clone stores them, in case
   * the remote's are changed.
   */
  holdAnchors(run: string): Promise<void>;
  /** Runs the body so that it ends with the signal, without leaving processes or partly written files. */
  owned<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T>;
}
