import type { DocumentsOrder } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";
import { performOnce, runStepOrThrow } from "../world.ts";
import type { CommitCandidate } from "./interlock.ts";

/** How process documents are kept out of the commit of the work; undefined if they belong into it. */
export type SeparatedDocuments = Omit<DocumentsOrder, "message">;

/**
 * Removes process documents from the tree to commit, or moves them below a folder. Files that the engine renders are no
 * part of a checked tree, but those that agents wrote are: the result is another tree, and is examined like any.
 */
export async function separateDocuments(run: Run, candidate: CommitCandidate): Promise<SeparatedDocuments | undefined> {
  const { documents: how } = run.started;
  const { documents: globs = [] } = run.pipeline;
  if (how === undefined || globs.length === 0) return undefined;
  const { tree, branch } = candidate;
  const parent = run.state.commits.get(branch) ?? candidate.parent ?? run.started.base.commit;
  const folder = how === "apart" || how === "none" ? {} : { folder: how };
  const { tree: code } = await runStepOrThrow(run, {
    verb: "see",
    name: "documents",
    input: { tree, globs, ...folder },
    work: async (place) => ({
      value: await performOnce(run, place, { kind: "without", request: { tree, parent, globs, ...folder } }),
    }),
  });
  return { how, globs, code };
}

/** Returns the message of the documents' own commit, which names the work below it. */
export function formatDocumentsMessage(message: string): string {
  const [subject = ""] = message.split("\n");
  return `docs: how this was made: ${subject.replace(/^[a-z]+(\([^)]*\))?!?: /, "")}`;
}
