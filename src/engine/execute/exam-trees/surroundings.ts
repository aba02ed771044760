import { classifyPath, isTestSettings } from "../../../core/checks/exam/exam-path.ts";
import { isProse } from "../../../core/checks/exam/expectations.ts";
import { isShadow } from "../../../core/checks/exam/shadow.ts";
import { isSource } from "../../../core/checks/exam/source-path.ts";
import { isImporting, mayListFiles, needsImport } from "../../../core/checks/exam/uses/file-listing.ts";
import { isLoadedByLocation } from "../../../core/checks/exam/uses/loaded-by-place.ts";
import { getSearchWord } from "../../../core/checks/exam/uses/mention.ts";
import { listImportHeads } from "../../../core/checks/exam/uses/python-import.ts";
import { type FileUse, findUses } from "../../../core/checks/exam/uses/use.ts";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { findConfiguredHalf } from "./configured-half.ts";
import { composeOldDevelopment } from "./old-development.ts";
import type { OldOnNew } from "./old-on-new.ts";
import { findShadows } from "./shadows.ts";

/** Up to this many sources are restored one by one, and then all together. */
const MOST_LONE = 4;
const MOST_SOURCES = 200;

export type SurroundingsOrder = OldOnNew & {
  /** Sources that only tests import. */
  readonly lone: readonly string[];
  /** Files that define the installed packages, if the change affects them. */
  readonly packages: readonly string[];
};

type SurroundingTree = NonNullable<ExamTrees["around"]>[number];

/**
 * Composes more trees, because code can detect the files around it and behave accordingly. The old tests usually run
 * without the tests that a change adds. Here they run once more next to these, as in the final commit, once without
 * added files outside of the product, and once with an old version of each source that only tests import.
 */
export async function composeSurroundings(
  workspace: Workspace,
  asked: SurroundingsOrder,
): Promise<Pick<ExamTrees, "around">> {
  const looking = await findLookingSources(workspace, asked);
  const found = [
    ...(await composeBesideAdded(workspace, asked, looking.length > 0)),
    ...(await composeWithoutStrangers(workspace, asked, looking)),
    ...(await composeWithOldSources(workspace, asked)),
    ...(await composeOldDevelopment(workspace, asked)),
  ];
  const known = new Set([asked.request.new, asked.request.old, asked.oldOnNew]);
  const fresh = found.filter(({ tree }) => !known.has(tree) && known.add(tree));
  return fresh.length > 0 ? { around: fresh } : {};
}

/** Lists new versions of sources that can detect the files around them. */
async function findLookingSources(
  workspace: Workspace,
  { request, changes, order }: SurroundingsOrder,
): Promise<readonly string[]> {
  const back = new Set(order.paths);
  const code = changes.filter(({ path, status }) => status !== "deleted" && !back.has(path) && isSource(path));
  if (code.length > MOST_SOURCES) return code.map(({ path }) => path);
  const texts = await Promise.all(code.map(({ path }) => workspace.file(path, request.new)));
  return code.map(({ path }) => path).filter((_path, at) => mayListFiles(texts[at]?.text ?? ""));
}

async function composeBesideAdded(
  workspace: Workspace,
  asked: SurroundingsOrder,
  looks: boolean,
): Promise<readonly SurroundingTree[]> {
  const { request, changes, order, oldOnNew } = asked;
  const put = new Set(order.paths);
  const added = changes.filter(({ path, status }) => status === "added" && put.has(path)).map(({ path }) => path);
  if (added.length === 0) return [];
  const kept = new Set(added);
  const others = order.paths.filter((path) => !kept.has(path));
  const tree = await workspace.compose(request.new, { ...order, paths: others });
  const hollow = new Set(added.filter((path) => canBeEmpty(path, others)));
  const emptied = await workspace.compose(request.new, {
    from: order.from,
    paths: order.paths.filter((path) => !hollow.has(path)),
    texts: [...order.texts, ...[...hollow].map((path) => ({ path, text: "" }))],
  });
  return [
    { tree, paths: added, how: "beside", ...(emptied === oldOnNew ? {} : { emptied }), ...(looks ? { looks } : {}) },
  ];
}

/** An empty file is still found by code that looks for it, but does not change how other tests run. */
function canBeEmpty(path: string, others: readonly string[]): boolean {
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path) || isTestSettings(path) || isShadow(path)) return false;
  const name = getFileName(path);
  // pytest loads only the first of two modules with one name.
  return name !== "__init__.py" && !(path.endsWith(".py") && others.some((each) => getFileName(each) === name));
}

/**
 * Removes added files that no code imports: those at the top or in another folder than the code that looks around, and
 * those that a tool loads by their location.
 */
async function composeWithoutStrangers(workspace: Workspace, asked: SurroundingsOrder, looking: readonly string[]) {
  const { request, changes, order, oldOnNew } = asked;
  const back = new Set(order.paths);
  const added = changes.filter(({ path, status }) => status === "added" && !back.has(path)).map(({ path }) => path);
  const packages = new Set(added.filter((path) => classifyPath(path) === "mixed").map(getTopFolder));
  const isFree = (path: string) => findConfiguredHalf(request, path) === undefined;
  const outside = added.filter((path) => isFree(path) && needsImport(path) && !packages.has(getTopFolder(path)));
  const placed = await selectUnimported(workspace, request.new, outside.filter(isLoadedByLocation));
  const shadows = await findShadows(workspace, request.old, added.filter(isFree));
  const beside = await selectBesideLookers(workspace, { tree: request.new, paths: outside, looking });
  const paths = [...new Set([...beside, ...placed, ...shadows])].sort();
  if (paths.length === 0) return [];
  const tree = await workspace.compose(oldOnNew, { from: request.old, paths, texts: [] });
  return [{ tree, paths, how: "without" } as const];
}

/** Selects files outside the folder of code that looks around. */
async function selectBesideLookers(
  workspace: Workspace,
  { tree, paths, looking }: LookedFiles,
): Promise<readonly string[]> {
  if (looking.length === 0) return [];
  const homes = new Set(looking.map(getTopFolder));
  const apart = paths.filter((path) => !homes.has(getTopFolder(path)));
  const open = await selectMentioned(workspace, { tree, paths: apart, looking });
  const brought = await findImportedFolders(workspace, tree, open);
  return open.filter((path) => !brought.has(getTopFolder(path)));
}

/**
 * Selects files that no code imports: a tool finds them by their location. Returns all of them if there are too many
 * matches.
 */
async function selectUnimported(
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const words = [...new Set(paths.flatMap((path) => [getSearchWord(path), ...listImportHeads(path)]))];
  const lines = words.length > 0 ? await workspace.mentions(tree, words) : [];
  const uses = (lines && findUses(lines, paths)) ?? [];
  const known = new Set(paths);
  const isUse = ({ from, by, text }: FileUse) =>
    by !== "exam" && isSource(from) && !known.has(from) && isImporting(text);
  const imported = new Set(uses.filter(isUse).map(({ to }) => to));
  return paths.filter((path) => !imported.has(path));
}

type LookedFiles = { readonly tree: string; readonly paths: readonly string[]; readonly looking: readonly string[] };

/**
 * Selects files in folders, prose, and files at the top that such code names: settings of many tools are at the top.
 */
async function selectMentioned(
  workspace: Workspace,
  { tree, paths, looking }: LookedFiles,
): Promise<readonly string[]> {
  const texts = await Promise.all(looking.slice(0, MOST_SOURCES).map((path) => workspace.file(path, tree)));
  const isSpoken = (path: string) => texts.some((each) => each?.text.includes(getFileName(path)));
  return paths.filter((path) => path.includes("/") || isProse(path) || isSpoken(path));
}

/** Returns the folders from which code elsewhere imports; all of them if there are too many matches. */
async function findImportedFolders(
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const words = [...new Set(paths.flatMap((path) => [getSearchWord(path), ...listImportHeads(path)]))];
  const lines = words.length > 0 ? await workspace.mentions(tree, words) : [];
  const uses = lines && findUses(lines, paths);
  if (!uses) return new Set(paths.map(getTopFolder));
  const isUse = ({ from, to, by, text }: FileUse) =>
    by !== "exam" && getTopFolder(from) !== getTopFolder(to) && isImporting(text);
  return new Set(uses.filter(isUse).map(({ to }) => getTopFolder(to)));
}

async function composeWithOldSources(
  workspace: Workspace,
  { request, oldOnNew, lone }: SurroundingsOrder,
): Promise<readonly SurroundingTree[]> {
  const each = lone.length > MOST_LONE ? [] : lone.map((path) => [path]);
  const all = lone.length > 1 ? [...each, lone] : each;
  return Promise.all(
    all.map(async (paths) => {
      const tree = await workspace.compose(oldOnNew, { from: request.old, paths, texts: [] });
      return { tree, paths, how: "was" } as const;
    }),
  );
}

/** Returns the first folder of a path; empty for a file at the top. */
function getTopFolder(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? "") : "";
}

function getFileName(path: string): string {
  return path.split("/").at(-1) ?? "";
}
