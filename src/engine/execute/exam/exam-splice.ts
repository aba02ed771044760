import { asksOtherPackages, isPackages } from "../../core/evidence/exam/packages.ts";
import { spliced, undermines } from "../../core/evidence/exam/spliced.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { Change } from "../../core/sight.ts";

/** A changed file that is code and exam at once. */
export type Splice = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The new code with the old exam, and the other way round; absent where they cannot be told apart. */
  readonly oldOnNew?: string;
  readonly newOnOld?: string;
  readonly unsure: boolean;
  readonly otherPackages: boolean;
};

/** Longer ones are not taken apart. */
const MOST_CHARS = 4 * 1024 * 1024;

type Asked = { readonly old: string; readonly new: string; readonly change: Change; readonly lines: readonly string[] };

export async function spliceOf(workspace: Workspace, asked: Asked): Promise<Splice> {
  const { path, status } = asked.change;
  const { lines } = asked;
  const before = status === "added" ? "" : await textIn(workspace, asked.old, path);
  const after = status === "deleted" ? "" : await textIn(workspace, asked.new, path);
  if (before === undefined || after === undefined) {
    return { path, before: "", after: "", unsure: true, otherPackages: isPackages(path) };
  }
  const oldOnNew = spliced({ path, code: after, exam: before, lines });
  const newOnOld = spliced({ path, code: before, exam: after, lines });
  const apart = oldOnNew !== undefined && newOnOld !== undefined;
  return {
    path,
    before,
    after,
    ...(apart ? { oldOnNew, newOnOld } : {}),
    unsure: !apart || undermines({ path, code: after, exam: before }),
    otherPackages: isPackages(path) && asksOtherPackages({ path, before, after }),
  };
}

/** Undefined for a link, and for what is no text: writing it again would change it. */
async function textIn(workspace: Workspace, tree: string, path: string): Promise<string | undefined> {
  const text = (await workspace.file(path, tree))?.text;
  return text === undefined || text.length > MOST_CHARS || text.includes("\uFFFD") ? undefined : text;
}
