import { classifyPath, isTestsOwn } from "../../../core/checks/exam/exam-path.ts";
import { isBeside, isListing, LISTING_WORDS } from "../../../core/checks/exam/listing.ts";
import { isSource } from "../../../core/checks/exam/source-path.ts";
import { OWN, type StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import { toPlacedUse } from "../../../core/checks/exam/test-places.ts";
import { findLikelyMatches } from "../../../core/checks/exam/uses/likely-matches.ts";
import { getStem, type MentionLine } from "../../../core/checks/exam/uses/mention.ts";
import { listImportHeads, unfoldImports } from "../../../core/checks/exam/uses/python-import.ts";
import { classifyReader, type ExamFile, listSearchWords, mayReadFile } from "../../../core/checks/exam/uses/reader.ts";
import type { FileUse } from "../../../core/checks/exam/uses/use.ts";
import { getTestLanguage } from "../../../core/checks/tamper/test-language.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

/** Steps from a file to its reader, and on to importers of that. A longer chain counts as read. */
const MOST_STEPS = 16;
/** Beyond this many, readers are not searched: each file counts as read. */
const MOST_FILES = 200;

type ReaderSearch = {
  readonly old: string;
  readonly new: string;
  readonly collected: ReadonlySet<string>;
  readonly paths: readonly string[];
  readonly starts: StartedPrograms;
};

/**
 * Selects test files that the product reads in the new tree, directly or through other test files. If there are too
 * many files to search, selects every file that no test program collects. The author of the change can influence this,
 * but only so that more is examined.
 */
export async function findReadByCode(workspace: Workspace, asked: ReaderSearch): Promise<ReadonlySet<string>> {
  const { paths, collected } = asked;
  const found = paths.length > MOST_FILES ? undefined : await findReaders(workspace, asked);
  if (!found) return new Set(paths.filter((path) => !collected.has(path)));
  const read = new Set<string>();
  for (let before = -1; before !== read.size; ) {
    before = read.size;
    for (const { from, to, by } of found) if (by === "code" || read.has(from)) read.add(to);
  }
  return new Set(paths.filter((path) => read.has(path)));
}

/** Undefined if there are too many matches. */
async function findReaders(workspace: Workspace, asked: ReaderSearch): Promise<readonly FileReader[] | undefined> {
  const [known, found] = [new Set(asked.paths), [] as FileReader[]];
  let wanted = asked.paths.length > 0 ? await listWanted(workspace, asked) : [];
  for (let step = 0; wanted.length > 0; step += 1) {
    if (step === MOST_STEPS || wanted.length > MOST_FILES) return undefined;
    const lines = await workspace.mentions(asked.new, [...new Set(wanted.flatMap(listReaderWords))]);
    const more = lines && matchReaders(lines, wanted, asked);
    if (!more) return undefined;
    found.push(...more);
    const way = new Set(more.filter(({ by }) => by !== "code").map(({ from }) => from));
    const fresh = [...way].filter((path) => !known.has(path));
    for (const path of fresh) known.add(path);
    wanted = fresh.map(toImportedFile);
  }
  return found;
}

/** A name or stem alone means the code file that had it before the change, if there was one. */
async function listWanted(workspace: Workspace, { old, paths, collected }: ReaderSearch): Promise<readonly ExamFile[]> {
  const kinds = new Set(["code", "mixed"]);
  const code = (await workspace.files("", old)).filter((path) => kinds.has(classifyPath(path))).map(getFileName);
  const [names, stems] = [new Set(code), new Set(code.map(getStem))];
  return paths.map((path) => ({
    path,
    collected: collected.has(path),
    sharesName: names.has(getFileName(path)),
    sharesStem: stems.has(getStem(getFileName(path))),
  }));
}

/** Includes words for reading a folder, or starting an import, without the name. */
function listReaderWords(each: ExamFile): readonly string[] {
  return [...listSearchWords(each), ...listImportHeads(each.path), ...(each.collected ? [] : LISTING_WORDS)];
}

function toImportedFile(path: string): ExamFile {
  return { path, collected: true, sharesName: true, sharesStem: true };
}

type FileReader = Pick<FileUse, "from" | "to" | "by">;

/** Undefined if there is too much to compare. */
function matchReaders(
  lines: readonly MentionLine[],
  wanted: readonly ExamFile[],
  asked: ReaderSearch,
): readonly FileReader[] | undefined {
  const holders = unfoldImports(lines).filter((line) => classifyReader(line) && !isStarter(line.path, asked.starts));
  const likely = findLikelyMatches(holders, { items: wanted, wordsOf: listSearchWords });
  const named = likely?.flatMap(({ line, items }) =>
    items.filter((each) => mayReadFile(line, each)).map(({ path }) => toFileReader(line, path, asked)),
  );
  return named && [...named, ...matchListers(holders, wanted, asked)];
}

/** Finds sources that read all files next to them. Go's own tests are built into no product. */
function matchListers(
  lines: readonly MentionLine[],
  wanted: readonly ExamFile[],
  asked: ReaderSearch,
): readonly FileReader[] {
  const sources = lines.filter((line) => isSource(line.path) && isListing(line));
  // At the top the line itself says how far it looks.
  const keyOf = ({ path, text }: MentionLine) => (path.includes("/") ? path : `${path}\n${text}`);
  const each = [...new Map(sources.map((line) => [keyOf(line), line])).values()];
  const open = wanted.filter(({ path, collected }) => !collected && !path.endsWith("_test.go"));
  return each.flatMap((line) => {
    const beside = open.filter(({ path }) => path !== line.path && isBeside(path, line));
    return beside.map(({ path }) => toFileReader(line, path, asked));
  });
}

function toFileReader(line: MentionLine, to: string, asked: ReaderSearch): FileReader {
  const by = isMisnamed(line.path, asked) ? "code" : (classifyReader(line) ?? "code");
  return toPlacedUse({ from: line.path, to, by, setUp: false, text: line.text }, asked.starts);
}

/**
 * True for a file named like a test from which no test comes, although tests are known by their files: it is probably
 * the product's.
 */
function isMisnamed(path: string, { collected, starts }: ReaderSearch): boolean {
  if (collected.size === 0 || collected.has(path) || isTestsOwn(path) || starts.programs.has(path)) return false;
  return getTestLanguage(path) !== undefined && ["exam", "likely"].includes(classifyPath(path));
}

/** True for a program that starts tests: the files that it names are theirs. */
function isStarter(path: string, { programs, led }: StartedPrograms): boolean {
  return programs.has(path) && led.has(path) && !OWN.test(path);
}

function getFileName(path: string): string {
  return path.split("/").at(-1) ?? "";
}
