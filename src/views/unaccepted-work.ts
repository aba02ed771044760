import { z } from "zod";
import type { RunView } from "./run-view.ts";
import type { RunCommit } from "./step-results.ts";

/** A tree that no gate accepted or that was never committed. A person can still land it. */
export type UnacceptedWork = { readonly tree: string; readonly by?: string; readonly why: string };

/** The work of a run that can be landed: its last commit, and a newer tree without one. */
export type RunWork = { readonly accepted?: RunCommit; readonly unaccepted?: UnacceptedWork };

/** The work that a pipeline names in its final report, if it knows better than the journal which tree that is. */
const DeclaredWork = z.object({
  work: z.object({ tree: z.string(), accepted: z.boolean(), why: z.string().optional() }),
});

/**
 * Returns the work of any run, regardless of its end and of who wrote its pipeline.
 * @rule A-33 (policy) Whatever its end, a run names its work, and the work can be displayed with `diff`, landed with
 *   `land` (after a person's approval if gates did not pass) and continued with `run --from`.
 */
export function getRunWork(view: RunView): RunWork {
  const accepted = view.commits.at(-1);
  const unaccepted = findUnacceptedWork(view);
  return { ...(accepted ? { accepted } : {}), ...(unaccepted ? { unaccepted } : {}) };
}

function findUnacceptedWork(view: RunView): UnacceptedWork | undefined {
  const { end, commits, base, uncommitted } = view;
  const declared = end?.type === "run.finished" ? DeclaredWork.safeParse(end.report).data?.work : undefined;
  if (declared) {
    const { tree, accepted, why = explainUnaccepted(view) } = declared;
    return (accepted && commits.length > 0) || tree === base.tree ? undefined : { tree, why };
  }
  // Changes that a successful run makes after its last commit are not missing work.
  if (uncommitted === undefined || (view.status === "done" && commits.length > 0)) return undefined;
  return uncommitted.tree === base.tree ? undefined : { ...uncommitted, why: explainUnaccepted(view) };
}

function explainUnaccepted({ end, status }: RunView): string {
  if (end?.type === "run.finished") return end.reason ?? `the run ended as ${status}`;
  return "the run has not ended";
}
