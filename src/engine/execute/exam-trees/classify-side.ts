import { classifyPath } from "../../../core/checks/exam/exam-path.ts";
import { classifyMention, getHeaderPattern, mayJudge } from "../../../core/checks/exam/judging-files.ts";
import { isShadow } from "../../../core/checks/exam/shadow.ts";
import { isImport, type StartedPrograms, selectStartedFiles } from "../../../core/checks/exam/started-programs.ts";
import { selectPlacedFiles, toPlacedUse } from "../../../core/checks/exam/test-places.ts";
import { isAssertingThrough } from "../../../core/checks/exam/uses/asserts-through.ts";
import { getSearchWord, type MentionLine } from "../../../core/checks/exam/uses/mention.ts";
import {
  isNaming,
  listOwnWords,
  NO_PACKAGES,
  type OwnPackages,
  readOwnPackages,
} from "../../../core/checks/exam/uses/own-packages.ts";
import { listImportHeads } from "../../../core/checks/exam/uses/python-import.ts";
import { findTestOnlySources } from "../../../core/checks/exam/uses/test-only-sources.ts";
import { classifyByUse, type FileUse, findUses, isImported, isTestOf } from "../../../core/checks/exam/uses/use.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";
import { findDiscovered, findVendoredTests } from "./vendored-tests.ts";

export type ExamSide = {
  /** The paths that are tests in this tree. */
  readonly exam: ReadonlySet<string>;
  /** Files that only test discovery loads: neither old code under test, nor new tests. */
  readonly aside: ReadonlySet<string>;
  /** Files with tests that cannot be separated, or whose users are unknown. */
  readonly unsure: readonly string[];
  /**
   * Files that are code by their users, but may be tests by their location, by tests that use them, or by command
   * lines.
   */
  readonly doubtful: readonly string[];
  /** Sources of the code that only tests import. */
  readonly lone: readonly string[];
};

/** Steps from a file to its user, and on to users of that; a longer chain counts as unknown. */
const MOST_STEPS = 16;
/** Beyond this many, only files are searched whose path does not decide. */
const MOST_FILES = 500;
/** Most files to follow in total. */
const MOST_FOLLOWED = 5_000;
const MOST_MANIFESTS = 200;
const MOST_JUDGED = 40;
/** Marks Vitest's tests within a source. */
const IN_SOURCE = "import.meta.vitest";

type SideOrder = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly starts: StartedPrograms;
  /** Paths that the other tree does not have, if this is the new one. */
  readonly added?: ReadonlySet<string>;
};

/** Selects the paths that are tests in the tree, by their names, their users and the programs that start them. */
export async function classifySide(workspace: Workspace, side: SideOrder): Promise<ExamSide> {
  const used = await classifyUsedFiles(workspace, side);
  const vendored = await findVendoredTests(workspace, side);
  const aside = await findDiscovered(workspace, side);
  return {
    exam: new Set([...used.exam, ...vendored.exam]),
    aside: new Set(aside),
    unsure: [...used.unsure, ...vendored.unsure],
    doubtful: used.doubtful,
    lone: used.lone,
  };
}

async function classifyUsedFiles(workspace: Workspace, side: SideOrder): Promise<Omit<ExamSide, "aside">> {
  const { tree, starts, added = new Set() } = side;
  const plain = side.paths.filter((path) => classifyPath(path) !== "mixed");
  const open = plain.filter((path) => classifyPath(path) !== "exam");
  const first = open.length > MOST_FILES ? open.filter(isUndecidedBy(starts)) : open;
  const shadows = [...added].filter(isShadow);
  const seen = await followUses(workspace, side, first);
  if (!seen) {
    const exam = new Set([...classifyByUse({ files: plain, uses: [] }).exam, ...shadows]);
    return { exam, unsure: first, doubtful: [], lone: [] };
  }
  const started = selectStartedFiles(seen.files, seen.uses, starts);
  const placed = selectPlacedFiles(plain, seen.uses, starts);
  const starters = new Set([...started.exam, ...placed.exam]);
  const uses = seen.uses.map((use): FileUse => (starters.has(use.from) ? { ...use, by: "exam" } : use));
  const beside = plain.some(isSupport) ? (await workspace.files("", tree)).filter(isTest) : [];
  const byUse = classifyByUse({ files: plain, uses, beside });
  const exam = new Set([...byUse.exam, ...starters, ...shadows]);
  const unsure = [...started.unsure, ...placed.unsure].filter((path) => !exam.has(path) && plain.includes(path));
  const judging = await selectJudging(workspace, { tree, starts, paths: plain }, seen.uses);
  return {
    exam,
    unsure: [...unsure, ...(await findInSourceTests(workspace, tree, plain))],
    doubtful: [...byUse.doubtful, ...placed.doubtful, ...judging].filter((path) => !exam.has(path)),
    lone: findTestOnlySources(plain, uses, seen.own, await findJudges(workspace, { tree, paths: plain, uses })).filter(
      (path) => !exam.has(path),
    ),
  };
}

type JudgesOrder = { readonly tree: string; readonly paths: readonly string[]; readonly uses: readonly FileUse[] };

/** Sources with a test of their own through which another test asserts. */
async function findJudges(workspace: Workspace, { tree, paths, uses }: JudgesOrder): Promise<ReadonlySet<string>> {
  const byTests = uses.filter((use) => use.by === "exam" && isImported(use));
  const open = paths.filter((path) => byTests.some(({ from, to }) => to === path && isTestOf(from, path)));
  const pairs = byTests.filter(({ from, to }) => open.includes(to) && !isTestOf(from, to)).slice(0, MOST_JUDGED);
  const found = await Promise.all(
    pairs.map(async ({ from, to }) =>
      isAssertingThrough((await workspace.file(from, tree))?.text ?? "", to) ? [to] : [],
    ),
  );
  return new Set(found.flat());
}

/**
 * Selects files that a line, a recipe, a script or settings mention, and those that such a program imports next to it.
 */
async function selectJudging(workspace: Workspace, { tree, starts, paths }: SideOrder, uses: readonly FileUse[]) {
  const imports = uses.filter((use) => classifyPath(use.from) !== "mixed" && isImported(use));
  // A folder that other code imports from belongs to the product, whatever of it is run.
  const isHelp = (folder = "") =>
    folder !== "" && !imports.some(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder));
  const findMention = (path: string) =>
    classifyMention(path, starts.words) ?? (isHelp(starts.beside.get(path)) ? "run" : undefined);
  const open = paths.filter((path) => findMention(path) !== undefined);
  const files = open.some(getHeaderPattern) ? await workspace.files("", tree) : [];
  const isUsed = (path: string) => {
    const header = getHeaderPattern(path);
    return header ? files.some((each) => header.test(each)) : imports.some(({ to }) => to === path);
  };
  return open.filter((path) => mayJudge({ spoken: findMention(path), path, used: isUsed(path) }));
}

type SideUses = { readonly files: readonly string[]; readonly uses: readonly FileUse[]; readonly own: OwnPackages };

/** Reads the names by which the repository's own packages are imported. */
async function loadOwnPackages(workspace: Workspace, tree: string): Promise<OwnPackages> {
  const paths = (await workspace.files("", tree)).filter(isNaming).slice(0, MOST_MANIFESTS);
  const texts = paths.map(async (path) => ({ path, text: (await workspace.file(path, tree))?.text ?? "" }));
  return readOwnPackages(await Promise.all(texts));
}

/** Finds the users of the files, and the users that need the same decision; undefined if there are too many matches. */
async function followUses(
  workspace: Workspace,
  side: SideOrder,
  first: readonly string[],
): Promise<SideUses | undefined> {
  const { tree, paths, starts, added } = side;
  const changed = new Set(paths);
  const isCounted = (use: FileUse) => isImport(use, starts) && !(added && isNewEvidence(use, { changed, added }));
  const isFollowed = (path: string) => isUndecidedBy(starts)(path) || starts.led.has(path);
  const [files, uses] = [new Set(first), [] as FileUse[]];
  const own = first.length > 0 ? await loadOwnPackages(workspace, tree) : NO_PACKAGES;
  let next = first;
  for (let step = 0; next.length > 0; step += 1) {
    if (step === MOST_STEPS || files.size > MOST_FOLLOWED) return undefined;
    const words = next.flatMap((path) => [getSearchWord(path), ...listImportHeads(path), ...listOwnWords(path, own)]);
    const lines = await workspace.mentions(tree, [...new Set(words)]);
    const named = lines && findUses(lines, next, own);
    if (!named) return undefined;
    const found = named.filter(isCounted).map((use) => toPlacedUse(use, starts));
    uses.push(...found);
    next = [...new Set(found.map(({ from }) => from))].filter((path) => isFollowed(path) && !files.has(path));
    for (const path of next) files.add(path);
  }
  return { files: [...files], uses, own };
}

function isUndecidedBy({ programs }: StartedPrograms) {
  return (path: string) => isOpen(path) || programs.has(path);
}

type ChangedPaths = { readonly changed: ReadonlySet<string>; readonly added: ReadonlySet<string> };

/** The author of the change wrote both files, so one is no proof of what the other is. */
function isNewEvidence({ from, to, by }: FileUse, { changed, added }: ChangedPaths): boolean {
  return by !== "exam" && changed.has(from) && (added.has(to) || !changed.has(to));
}

function isSupport(path: string): boolean {
  return classifyPath(path) === "support";
}

function isTest(path: string): boolean {
  return classifyPath(path) === "exam";
}

function isOpen(path: string): boolean {
  return classifyPath(path) === "likely" || isSupport(path);
}

async function findInSourceTests(
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const lines: readonly MentionLine[] = (await workspace.mentions(tree, [IN_SOURCE])) ?? [];
  const holders = new Set(lines.map(({ path }) => path));
  return paths.filter((path) => classifyPath(path) === "code" && /\.[cm]?[jt]sx?$/.test(path) && holders.has(path));
}
