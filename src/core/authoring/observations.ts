import type { Json } from "../text/json.ts";
import type { Tree } from "./tree.ts";

/**
 * Starting point of the run. `branch` is the checked-out branch, or null with `moved` set if the checkout has moved
 * since.
 */
export type Head = Tree & { readonly commit: string; readonly branch: string | null; readonly moved?: string };

export type CheckoutState = {
  readonly branch: string | null;
  /** Paths that differ from HEAD or are untracked. Signalbox's own files are excluded. */
  readonly dirt: readonly string[];
  /** Rebase, merge, cherry-pick, revert or bisect in progress. */
  readonly operation: string | null;
};

export type FileContent = { readonly text: string; readonly hash: string } | null;

export type Change = { readonly path: string; readonly status: "added" | "modified" | "deleted" };

export type StartupAnalysis = {
  readonly cores: number;
  /** Commands from the configuration or the project's files, by name. */
  readonly commands: Readonly<Record<string, string>>;
  /** Globs of files whose changes by agents are always reported. */
  readonly protectedPaths: readonly string[];
};

/** `subjects`: first lines of the commits that HEAD does not contain, newest first, at most 50. */
export type BranchState = Tree & { readonly commit: string; readonly subjects: readonly string[] };

/** `owned`: an engine is running it now. */
export type RunSummary = { readonly run: string; readonly status: string; readonly owned: boolean };

/** All observations that a pipeline can make. Each observation is recorded, so that a replay gets the same value. */
export type Observations = {
  readonly head: { args: undefined; sees: Head };
  readonly checkout: { args: undefined; sees: CheckoutState };
  readonly file: { args: { path: string; in?: Tree }; sees: FileContent };
  /** Files of a tree, or of the checkout. For the checkout, `ignored` includes the files that git ignores. */
  readonly files: { args: { under: string; in?: Tree; ignored?: boolean }; sees: readonly string[] };
  readonly changes: { args: { from: Tree; to: Tree }; sees: readonly Change[] };
  /** Change as a text diff for reviewers, truncated if it is long. */
  readonly diff: { args: { from: Tree; to: Tree; only?: readonly string[] }; sees: string };
  readonly branch: { args: { name: string }; sees: BranchState | null };
  /** Other unfinished runs of this pipeline in this repository. */
  readonly runs: { args: undefined; sees: readonly RunSummary[] };
  /** Checks whether the repository still has a tree of an earlier run. An existing tree is retained for this run. */
  readonly has: { args: { in: Tree }; sees: boolean };
  /** HEAD with the uncommitted content of these paths, as a tree. */
  readonly dirt: { args: { paths: readonly string[] }; sees: Tree };
  /** Policy of the pipeline, as it was when the run started. */
  readonly policy: { args: undefined; sees: Json };
  readonly startup: { args: undefined; sees: StartupAnalysis };
  readonly now: { args: undefined; sees: number };
  readonly uuid: { args: undefined; sees: string };
};
export type ObservationKind = keyof Observations;
