import type { Rendered } from "../effect.ts";
import type { Change, CheckoutState, FileSeen, Head } from "../sight.ts";
import type { Merged } from "../verbs.ts";

export type Opened = {
  /** A repository of its own, outside the user's, with the tree's files in it. */
  readonly dir: string;
  /** Removes the directory. Nothing in it is needed any more: a snapshot was taken or the work is discarded. */
  close(): Promise<void>;
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
};

export type Snapshot = {
  readonly tree: string;
  readonly changed: readonly string[];
  /** Changed, but not taken. */
  readonly outside: readonly string[];
};

export type CommitOrder = {
  readonly run: string;
  readonly tree: string;
  readonly message: string;
  readonly branch: string;
  readonly parent: string;
  readonly date: number;
};

/**
 * Git by plumbing. A tree is a value; the user's checkout, index, config, refs outside `refs/signalbox/` and the
 * run's own branch, stash and hooks are never touched, and no code of the repository runs (hooks, filters, fsmonitor).
 */
export interface Workspace {
  head(): Promise<Head>;
  state(): Promise<CheckoutState>;
  /** A file of the checkout, or of a tree; null where there is none or it is not a regular file. */
  file(path: string, tree?: string): Promise<FileSeen>;
  files(under: string, tree?: string): Promise<readonly string[]>;
  changes(from: string, to: string): Promise<readonly Change[]>;
  open(tree: string, name: string): Promise<Opened>;
  snapshot(dir: string, options: SnapshotOptions): Promise<Snapshot>;
  /** The tree with these files replaced. */
  render(tree: string, files: readonly Rendered[]): Promise<string>;
  /** In order; says which tree conflicts and where. */
  merge(base: string, trees: readonly string[]): Promise<Merged>;
  /** The same order always gives the same commit; an order that was already carried out changes nothing. */
  commit(order: CommitOrder): Promise<{ readonly commit: string; readonly branch: string }>;
  /** Keeps the tree reachable for as long as the run is remembered. */
  pin(run: string, tree: string): Promise<void>;
  /** Replaces a file of the checkout atomically; refused when `ifHash` is given and differs. */
  write(path: string, text: string, ifHash?: string): Promise<{ readonly hash: string }>;
}
