import type { Decision } from "../core/authoring/decision.ts";
import type { Tree } from "../core/authoring/tree.ts";
import type { CommitOptions, Committed, Verbs } from "../core/authoring/verbs.ts";

type ReworkCommit = CommitOptions & { readonly tree: Tree };

/** Callbacks for work that a person sends back at the commit. */
type Rework<Work> = {
  /** Builds the commit for a round. */
  order(work: Work): Promise<ReworkCommit>;
  /** Returns whether another round is available. */
  revisable(work: Work): boolean;
  /** Runs one more round with the person's note as its first finding. Ends the run if the note cannot be addressed. */
  rework(work: Work, sentBack: Decision): Promise<Work>;
};

/** Commits the work, or repeats a round for as long as a person sends it back and a round is available. */
export async function commitOrRework<Work>(
  { commit }: Pick<Verbs<unknown>, "commit">,
  start: Work,
  by: Rework<Work>,
): Promise<{ readonly made: Committed; readonly work: Work }> {
  let work = start;
  for (;;) {
    const { tree, ...options } = await by.order(work);
    // Rework may only change planned files, and a round without changes ends it, so adding a new test may be impossible.
    const made = await commit(tree, { ...options, revisable: by.revisable(work) && "by a person" });
    if (!("sentBack" in made)) return { made, work };
    work = await by.rework(work, made.sentBack);
  }
}
