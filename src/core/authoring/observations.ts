import type { Json } from "../text/json.ts";
import type { Tree } from "./tree.ts";

/** Where the run began. `branch` is the one checked out there; without one when the checkout has `moved` since. */
export type Head = Tree & { readonly commit: string; readonly branch: string | null; readonly moved?: string };

export type CheckoutState = {
  readonly branch: string | null;
  /** Paths that differ from HEAD or are untracked; the tool's own files never count. */
  readonly dirt: readonly string[];
  /** A rebase, merge, cherry-pick, revert or bisect under way. */
  readonly operation: string | null;
};

export type FileContent = { readonly text: string; readonly hash: string } | null;

export type Change = { readonly path: string; readonly status: "added" | "modified" | "deleted" };

export type StartupAnalysis = {
  readonly cores: number;
  /** The commands that the configuration or the project's files give, by name. */
  readonly commands: Readonly<Record<string, string>>;
  /** Globs of what no agent may change unnoticed. */
  readonly protectedPaths: readonly string[];
};

/** `subjects`: first lines of the commits that HEAD does not have, newest first, at most 50. */
export type BranchState = Tree & { readonly commit: string; readonly subjects: readonly string[] };

/** `owned`: an engine works on it at this moment. */
export type RunSummary = { readonly run: string; readonly status: string; readonly owned: boolean };

/** All that a pipeline may look at. A look is recorded, so a replay sees what the first run saw. */
export type Observations = {
  readonly head: { args: undefined; sees: Head };
  readonly checkout: { args: undefined; sees: CheckoutState };
  readonly file: { args: { path: string; in?: Tree }; sees: FileContent };
  /** Of a tree, or of the checkout; there `ignored` adds what git does not look at. */
  readonly files: { args: { under: string; in?: Tree; ignored?: boolean }; sees: readonly string[] };
  readonly changes: { args: { from: Tree; to: Tree }; sees: readonly Change[] };
  /** The change as text, cut where it is long: what a reviewer reads. */
  readonly diff: { args: { from: Tree; to: Tree; only?: readonly string[] }; sees: string };
  readonly branch: { args: { name: string }; sees: BranchState | null };
  /** Other runs of this pipeline in this repository that have not ended. */
  readonly runs: { args: undefined; sees: readonly RunSummary[] };
  /** Whether the repository still has a tree of an earlier run; one that it has is kept for this run. */
  readonly has: { args: { in: Tree }; sees: boolean };
  /** What the checkout has at these paths, on top of HEAD: dirt as a tree. */
  readonly dirt: { args: { paths: readonly string[] }; sees: Tree };
  /** The pipeline's own policy, as it was when the run began. */
  readonly policy: { args: undefined; sees: Json };
  readonly startup: { args: undefined; sees: StartupAnalysis };
  readonly now: { args: undefined; sees: number };
  readonly uuid: { args: undefined; sees: string };
};
export type ObservationKind = keyof Observations;
