import {
  isDevelopmentMoved,
  isProductUnchanged,
  restoreLock,
  restoreManifest,
} from "../../../core/checks/exam/locks/development-packages.ts";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import type { OldOnNew } from "./old-on-new.ts";

type SurroundingTree = NonNullable<ExamTrees["around"]>[number];

const MANIFEST = "package.json";
const LOCK = "package-lock.json";
/** Requirements of Python that only tests and developers need. */
const REQUIREMENTS =
  /(?:^|\/)(?:[\w.-]*(?:dev|test)[\w.-]*requirements|requirements[\w.-]*(?:dev|test)|requirements\/(?:dev|test)s?)[\w.-]*\.(?:txt|in)$/;

type DevelopmentOrder = OldOnNew & {
  /** Files that define the installed packages, if the change affects them. */
  readonly packages: readonly string[];
};

/**
 * Composes a tree with the old development packages, if a change affects them. Packages of the product and new ones
 * stay as they are now, so a needed upgrade of the product makes no difference.
 */
export async function composeOldDevelopment(
  workspace: Workspace,
  { request, changes, oldOnNew, packages }: DevelopmentOrder,
): Promise<readonly SurroundingTree[]> {
  const modified = new Set(changes.filter(({ status }) => status === "modified").map(({ path }) => path));
  const open = packages.filter((path) => modified.has(path));
  if (open.length > 0 && open.every((path) => REQUIREMENTS.test(path))) return composeOld(open);
  const manifest = await readSides(MANIFEST);
  const lock = modified.has(LOCK) ? await readSides(LOCK) : undefined;
  if (!isDevelopmentMoved(manifest, lock)) return [];
  // Other locks cannot be split: they are restored only if nothing else in them can have changed.
  if (!lock) return isProductUnchanged(manifest) ? composeOld(packages) : [];
  const texts = [restoreManifest(manifest), restoreLock(lock)].flatMap((text, at) =>
    text === undefined ? [] : [{ path: at === 0 ? MANIFEST : LOCK, text }],
  );
  if (texts.length < 2) return [];
  const tree = await workspace.compose(oldOnNew, { from: request.old, paths: [], texts });
  return [{ tree, paths: [MANIFEST, LOCK], how: "packages" }];

  async function composeOld(paths: readonly string[]): Promise<readonly SurroundingTree[]> {
    const tree = await workspace.compose(oldOnNew, { from: request.old, paths, texts: [] });
    return [{ tree, paths, how: "packages" }];
  }

  async function readSides(path: string) {
    const [before, after] = [await workspace.file(path, request.old), await workspace.file(path, oldOnNew)];
    return { before: before?.text ?? "", after: after?.text ?? "" };
  }
}
