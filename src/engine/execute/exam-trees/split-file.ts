import type { Change } from "../../../core/authoring/observations.ts";
import { isPackages, isRequestingOthers } from "../../../core/checks/exam/locks/package-files.ts";
import {
  combineParts,
  combineWithOldTexts,
  isModuleSource,
  isUndermining,
} from "../../../core/checks/exam/parts/combine-parts.ts";
import { isAddingSources } from "../../../core/checks/exam/parts/listed-sources.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

/** A changed file that is code and tests at once. */
export type Splice = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The new code with the old tests, and the reverse; absent if they cannot be separated. */
  readonly oldOnNew?: string;
  readonly newOnOld?: string;
  /** `oldOnNew` with every other old part that tests may judge by, if there is any. */
  readonly asWas?: string;
  readonly unsure: boolean;
  readonly otherPackages: boolean;
};

/** Longer files are not split. */
const MOST_CHARS = 4 * 1024 * 1024;

type SpliceOrder = {
  readonly old: string;
  readonly new: string;
  readonly change: Change;
  readonly lines: readonly string[];
};

export async function splitFile(workspace: Workspace, asked: SpliceOrder): Promise<Splice> {
  const { path, status } = asked.change;
  const { lines } = asked;
  const before = status === "added" ? "" : await readPlainText(workspace, asked.old, path);
  const after = status === "deleted" ? "" : await readPlainText(workspace, asked.new, path);
  if (before === undefined || after === undefined) {
    return { path, before: "", after: "", unsure: true, otherPackages: isPackages(path) };
  }
  const isCode = isAddingSources({ path, before, after });
  const oldOnNew = isCode ? after : combineParts({ path, code: after, exam: before, lines });
  const newOnOld = isCode ? before : combineParts({ path, code: before, exam: after, lines });
  const apart = oldOnNew !== undefined && newOnOld !== undefined;
  const asWas = apart ? combineWithOldTexts({ path, before, after, lines }) : undefined;
  return {
    path,
    before,
    after,
    ...(apart ? { oldOnNew, newOnOld } : {}),
    ...(asWas === undefined ? {} : { asWas }),
    unsure: !apart || isUndermining({ path, code: after, exam: before }),
    otherPackages: isPackages(path) && isRequestingOthers({ path, before, after }),
  };
}

type DoubtfulChanges = {
  readonly old: string;
  readonly new: string;
  readonly changes: readonly Change[];
  readonly splices: readonly Splice[];
};

/** Finds files of which a part may belong to the tests: their new text, with the old version of that part. */
export async function findPartlyDoubtful(
  workspace: Workspace,
  doubted: DoubtfulChanges,
): Promise<ReadonlyMap<string, string>> {
  const { old, new: tree, changes, splices } = doubted;
  const modules = changes.filter(({ path, status }) => status === "modified" && isModuleSource(path));
  const found = await Promise.all(
    modules.map(async ({ path }) => {
      const [before, after] = [await readPlainText(workspace, old, path), await readPlainText(workspace, tree, path)];
      return { path, asWas: combineWithOldTexts({ path, before: before ?? "", after: after ?? "", lines: [] }) };
    }),
  );
  const known = [...splices, ...found].flatMap(({ path, asWas }) =>
    asWas === undefined ? [] : [[path, asWas] as const],
  );
  return new Map(known);
}

/** Undefined for a link and for binary content: writing it again would change it. */
async function readPlainText(workspace: Workspace, tree: string, path: string): Promise<string | undefined> {
  const text = (await workspace.file(path, tree))?.text;
  return text === undefined || text.length > MOST_CHARS || text.includes("\uFFFD") ? undefined : text;
}
