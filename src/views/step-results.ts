import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import type { RecordHandlers, Step } from "./record-handlers.ts";

export type RunCommit = { readonly commit: string; readonly branch: string };

export type StepResults = {
  readonly lastAction: string;
  readonly notes: Readonly<Record<string, Json>>;
  /** Oldest first. */
  readonly commits: readonly RunCommit[];
  /** The newest tree that an agent left; without `by`, one that a merge produced. */
  readonly newestTree: { readonly tree: string; readonly by?: string } | undefined;
  /** The same tree, unless a commit came after it. */
  readonly uncommitted: StepResults["newestTree"];
};

/** Collects the results of a run's steps. */
export function createStepResults() {
  const notes: Record<string, Json> = {};
  const commits: RunCommit[] = [];
  let lastAction = "";
  let newestTree: StepResults["newestTree"];
  let uncommitted: StepResults["newestTree"];
  const recordTree = (tree: StepResults["newestTree"]): void => {
    if (!tree) return;
    newestTree = tree;
    uncommitted = tree;
  };

  const recordResult = ({ key, value }: JournalRecord<"step.finished">, step: Step | undefined): void => {
    lastAction = key;
    if (typeof value !== "object" || value === null) return;
    // The casts below hold because the step's value is what its verb returned.
    if (step?.verb === "commit") {
      const { code, ...made } = value as RunCommit & { readonly code?: string };
      // Both commits belong to the run: landing and reverting cover all of them.
      if (code !== undefined) commits.push({ ...made, commit: code });
      commits.push(made);
      uncommitted = undefined;
    }
    if (step?.verb === "merge") recordTree(getMergedTree(value as MergeResult));
    // The value of a note is the object of facts it was given.
    if (step?.verb === "note") Object.assign(notes, value);
  };
  const taking: RecordHandlers = {
    "step.finished": recordResult,
    // An answer that could not be used still leaves a tree with work in it.
    "agent.finished": ({ after, kept, instance, role }) => {
      const tree = after ?? kept;
      if (tree) recordTree({ tree, by: instance || role });
    },
  };
  return {
    taking,
    view: (): StepResults => ({ lastAction, notes: { ...notes }, commits: [...commits], newestTree, uncommitted }),
  };
}

type MergeResult = { readonly clean?: boolean; readonly tree?: { readonly tree: string } };

function getMergedTree({ clean, tree }: MergeResult): StepResults["newestTree"] {
  return clean && tree ? { tree: tree.tree } : undefined;
}
