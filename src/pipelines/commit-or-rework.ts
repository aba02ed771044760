import type { Decision } from "../core/authoring/decision.ts";
import type { Tree } from "../core/authoring/tree.ts";
import type { CommitOptions, Committed, Verbs } from "../core/authoring/verbs.ts";

type CommitOf = CommitOptions & { readonly tree: Tree };

/** How work goes back from the commit's own question, and comes again. */
type Rework<Work> = {
  /** What is committed of it; asked again for every round. */
  order(work: Work): Promise<CommitOf>;
  /** Whether a round is left. */
  revisable(work: Work): boolean;
  /** The work after one more round, with the person's words as its first finding. What cannot be mended ends the run. */
  rework(work: Work, sentBack: Decision): Promise<Work>;
};

/** Commits; where a person would rather have it worked on and a round is left, it comes again after that round. */
export async function commitOrRework<Work>(
  { commit }: Pick<Verbs<unknown>, "commit">,
  start: Work,
  by: Rework<Work>,
): Promise<{ readonly made: Committed; readonly work: Work }> {
  let work = start;
  for (;;) {
    const { tree, ...options } = await by.order(work);
    // Rework is bound to the files that were planned, and a round that changes nothing ends it: a new test may not fit in.
    const made = await commit(tree, { ...options, revisable: by.revisable(work) && "by a person" });
    if (!("sentBack" in made)) return { made, work };
    work = await by.rework(work, made.sentBack);
  }
}
