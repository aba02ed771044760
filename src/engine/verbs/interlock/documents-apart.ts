import type { DocumentsOrder } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";
import { done, once } from "../world.ts";
import type { Candidate } from "./interlock.ts";

/** How documents of the process are kept out of the commit of the work; undefined where they belong into it. */
export type DocumentsApart = Omit<DocumentsOrder, "message">;

/**
 * What the engine renders is no part of a checked tree. What agents have left in theirs is, so the tree without it, or
 * with it below a folder, is another one, and is examined like any.
 */
export async function documentsApart(run: Run, candidate: Candidate): Promise<DocumentsApart | undefined> {
  const { documents: how } = run.started;
  const { documents: globs = [] } = run.pipeline;
  if (how === undefined || globs.length === 0) return undefined;
  const { tree, branch } = candidate;
  const parent = run.state.commits.get(branch) ?? candidate.parent ?? run.started.base.commit;
  const folder = how === "apart" || how === "none" ? {} : { folder: how };
  const { tree: code } = await done(run, {
    verb: "see",
    name: "documents",
    input: { tree, globs, ...folder },
    work: async (place) => ({
      value: await once(run, place, { kind: "without", request: { tree, parent, globs, ...folder } }),
    }),
  });
  return { how, globs, code };
}

/** Of their own commit: it stands on top of the work, and says whose it is. */
export function documentsMessage(message: string): string {
  const [subject = ""] = message.split("\n");
  return `docs: how this was made: ${subject.replace(/^[a-z]+(\([^)]*\))?!?: /, "")}`;
}
