import { z } from "zod";
import type { RunView } from "./run-view.ts";
import type { Committed } from "./step-results.ts";

/** What no gate has let through, or nobody has committed: a tree that a person can still take. */
export type UnacceptedWork = { readonly tree: string; readonly by?: string; readonly why: string };

/** What a run has made that can be taken: what it committed, and what is newer than that. */
export type WorkOfRun = { readonly accepted?: Committed; readonly unaccepted?: UnacceptedWork };

/** What a pipeline says in the report of its end, where it knows better than the journal which tree is its work. */
const Declared = z.object({ work: z.object({ tree: z.string(), accepted: z.boolean(), why: z.string().optional() }) });

/**
 * Of any run, whatever its end and whoever wrote its pipeline.
 * @rule A-33 (policy) Whatever the end, the work is named, can be seen and can be taken: by `diff`, by `land` with a
 *   person's yes where gates did not pass, and by `run --from`.
 */
export function workOf(view: RunView): WorkOfRun {
  const accepted = view.commits.at(-1);
  const unaccepted = unacceptedIn(view);
  return { ...(accepted ? { accepted } : {}), ...(unaccepted ? { unaccepted } : {}) };
}

function unacceptedIn(view: RunView): UnacceptedWork | undefined {
  const { end, commits, base, uncommitted } = view;
  const declared = end?.type === "run.finished" ? Declared.safeParse(end.report).data?.work : undefined;
  if (declared) {
    const { tree, accepted, why = whyNot(view) } = declared;
    return (accepted && commits.length > 0) || tree === base.tree ? undefined : { tree, why };
  }
  // What a good run makes after its last commit is no work that anybody misses.
  if (uncommitted === undefined || (view.status === "done" && commits.length > 0)) return undefined;
  return uncommitted.tree === base.tree ? undefined : { ...uncommitted, why: whyNot(view) };
}

function whyNot({ end, status }: RunView): string {
  if (end?.type === "run.finished") return end.reason ?? `the run ended as ${status}`;
  return "the run has not ended";
}
