import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import type { Step, Taking } from "./taking.ts";

export type Committed = { readonly commit: string; readonly branch: string };

export type StepResults = {
  readonly lastAction: string;
  readonly notes: Readonly<Record<string, Json>>;
  /** Oldest first. */
  readonly commits: readonly Committed[];
  /** The newest tree that an agent left, or without a name a merge made. */
  readonly newestTree: { readonly tree: string; readonly by?: string } | undefined;
  /** The same, where no commit came after it. */
  readonly uncommitted: StepResults["newestTree"];
};

/** What the steps of a run came to. */
export function createStepResults() {
  const notes: Record<string, Json> = {};
  const commits: Committed[] = [];
  let lastAction = "";
  let newestTree: StepResults["newestTree"];
  let uncommitted: StepResults["newestTree"];
  const left = (tree: StepResults["newestTree"]): void => {
    if (!tree) return;
    newestTree = tree;
    uncommitted = tree;
  };

  const ended = ({ key, value }: JournalRecord<"step.finished">, step: Step | undefined): void => {
    lastAction = key;
    if (typeof value !== "object" || value === null) return;
    // What the verb returned, recorded.
    if (step?.verb === "commit") {
      const { code, ...made } = value as Committed & { readonly code?: string };
      // Both are the run's own: what lands or takes it back counts on all of them.
      if (code !== undefined) commits.push({ ...made, commit: code });
      commits.push(made);
      uncommitted = undefined;
    }
    if (step?.verb === "merge") left(mergedTree(value as Merged));
    // A note's value is the facts it was given.
    if (step?.verb === "note") Object.assign(notes, value);
  };
  const taking: Taking = {
    "step.finished": ended,
    // Work whose answer alone could not be used is work.
    "agent.finished": ({ after, kept, instance, role }) => {
      const tree = after ?? kept;
      if (tree) left({ tree, by: instance || role });
    },
  };
  return {
    taking,
    view: (): StepResults => ({ lastAction, notes: { ...notes }, commits: [...commits], newestTree, uncommitted }),
  };
}

type Merged = { readonly clean?: boolean; readonly tree?: { readonly tree: string } };

function mergedTree({ clean, tree }: Merged): StepResults["newestTree"] {
  return clean && tree ? { tree: tree.tree } : undefined;
}
