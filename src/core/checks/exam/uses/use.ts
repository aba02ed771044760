import { getTestLanguage } from "../../tamper/test-language.ts";
import { classifyPath, isAmongTests, isTestSettings, type PathKind } from "../exam-path.ts";
import { findLikelyMatches } from "./likely-matches.ts";
import { getSearchWord, getStem, isMentioned, isUsedByName, type MentionLine, mayImport } from "./mention.ts";
import { listOwnWords, NO_PACKAGES, type OwnPackages } from "./own-packages.ts";
import { unfoldImports } from "./python-import.ts";

/** `from` names `to`, according to their texts. */
export type FileUse = {
  readonly from: string;
  readonly to: string;
  readonly by: "exam" | "code" | "open";
  readonly setUp: boolean;
  readonly text: string;
};

/**
 * Finds which of the files these lines name. `open`: the naming file is itself undecided. Returns undefined if there
 * are too many pairs to compare.
 */
export function findUses(
  lines: readonly MentionLine[],
  files: readonly string[],
  own: OwnPackages = NO_PACKAGES,
): readonly FileUse[] | undefined {
  const users = unfoldImports(lines).filter((line) => classifyUser(line) !== undefined);
  const likely = findLikelyMatches(users, {
    items: files,
    wordsOf: (path) => [getSearchWord(path), ...listOwnWords(path, own)],
  });
  return likely?.flatMap(({ line, items }) => {
    const by = classifyUser(line);
    if (by === undefined) return [];
    const named = items.filter((path) => isMentioned(line, path, own));
    return named.map((to) => ({ from: line.path, to, by, setUp: isSetUpLine(line, to), text: line.text }));
  });
}

type UseQuestion = {
  readonly files: readonly string[];
  readonly uses: readonly FileUse[];
  /** Tests of the tree beside one of the files. */
  readonly beside?: readonly string[];
};

/** `doubtful`: code according to its users, exam according to other signs. */
export type UseClassification = { readonly exam: ReadonlySet<string>; readonly doubtful: readonly string[] };

/**
 * Classifies the files by their users. A file that only tests import may be the subject of the tests, so that alone is
 * not enough: its path must indicate test support, no test may be named after it, or the settings of a test program
 * must load it. A file for tests by its path is never certainly code only because code uses it too.
 */
export function classifyByUse({ files, uses, beside = [] }: UseQuestion): UseClassification {
  const [code, helping] = [collectCode(uses), collectHelpers(uses)];
  const tested = (path: string, own: readonly FileUse[]) =>
    own.some(({ from }) => isTestOf(from, path)) ||
    beside.some((test) => getParentFolder(test) === getParentFolder(path) && isTestOf(test, path));
  const isTaken = (path: string) => {
    const own = uses.filter(({ to }) => to === path);
    if (isLikely(path)) return !code.has(path) || (isSource(path) && isAmongTests(path) && helping.has(path));
    return !code.has(path) && isExam(path, own) && !tested(path, own);
  };
  const exam = new Set(files.filter(isTaken));
  const isOpen = (path: string) => helping.has(path) || isAmongTests(path);
  const doubtful = files.filter((path) => !exam.has(path) && isUndecided(path) && isOpen(path));
  return { exam, doubtful };
}

function isLikely(path: string): boolean {
  const kind = classifyPath(path);
  return kind === "exam" || kind === "likely";
}

function isUndecided(path: string): boolean {
  const kind = classifyPath(path);
  return kind === "likely" || kind === "support";
}

function isExam(path: string, own: readonly FileUse[]): boolean {
  if (classifyPath(path) === "support") return own.some(({ by }) => by !== "code");
  return (
    own.some(({ setUp }) => setUp) && own.every(({ from }) => classifyPath(from) === "mixed" || isTestSettings(from))
  );
}

/** Collects files that code imports, and the files that these use. Names of tests stay exam. */
function collectCode(uses: readonly FileUse[]): ReadonlySet<string> {
  const imports = uses.filter((use) => use.by === "open" || (use.by === "code" && isImported(use)));
  return collectReached(
    imports,
    (use, code) => (use.by === "code" || code.has(use.from)) && classifyPath(use.to) !== "exam",
  );
}

/** Collects files that tests use, except the test named after the file, and the files that these use. */
function collectHelpers(uses: readonly FileUse[]): ReadonlySet<string> {
  const others = uses.filter(({ from, to, by }) => by !== "code" && !isTestOf(from, to));
  return collectReached(others, ({ from, by }, helping) => by === "exam" || isAmongTests(from) || helping.has(from));
}

function collectReached(uses: readonly FileUse[], isReached: (use: FileUse, known: ReadonlySet<string>) => boolean) {
  const known = new Set<string>();
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const use of uses) if (isReached(use, known)) known.add(use.to);
  }
  return known;
}

/**
 * A route, a link or an entry in linter settings may look like the path of a source, so only an import counts. Data is
 * read in many ways.
 */
export function isImported({ from, to, text }: FileUse): boolean {
  if (!isSource(to) || classifyPath(from) === "mixed" || isUsedByName(from)) return true;
  return isSource(from) && mayImport(text);
}

function isSource(path: string): boolean {
  return getTestLanguage(path) !== undefined;
}

/** Files that mention others without using them. */
const TALK =
  /\.(?:md|mdx|rst|adoc|txt|lock|svg|log)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|LICENSE|CODEOWNERS)$|^\.github\/|^docs?\//;

const USERS: Readonly<Record<PathKind, FileUse["by"]>> = {
  exam: "exam",
  likely: "open",
  support: "open",
  mixed: "code",
  code: "code",
};

/** Returns undefined for a file that mentions others without using them. */
export function classifyUser({ path, text }: MentionLine): FileUse["by"] | undefined {
  if (TALK.test(path)) return undefined;
  return isManifest(path) && TEST_LINE.test(text) ? "exam" : USERS[classifyPath(path)];
}

const TEST_LINE = /\b(?:pre|post)?tests?\b|\b(?:jest|vitest|mocha|ava|tap|pytest|karma|playwright)\b|setup-?[Ff]iles/;
const LOADS = /set-?up|teardown|preload|reporter|environment|resolver|transform|loader|plugins|require|import/i;
const STARTER = /(?:^|\/)(?:scripts?|tools?|ci|hack|config)\/|(?:set-?up|teardown|check|tests?)[^/]*$/i;

/** Returns whether the line makes a test program load the file, or is part of starting the tests. */
function isSetUpLine({ path, text }: MentionLine, file: string): boolean {
  if (isManifest(path)) return TEST_LINE.test(text) && STARTER.test(file);
  return isTestSettings(path) && (LOADS.test(text) || STARTER.test(file));
}

function isManifest(path: string): boolean {
  return classifyPath(path) === "mixed" && !path.endsWith(".rs");
}

/** `slug.test.ts`, `test_slug.py`, `SlugTest.java` are tests of `slug`. */
export function isTestOf(test: string, path: string): boolean {
  if (!isLikely(test)) return false;
  const about = getStem(getPlainName(test).replaceAll(/(?:^|[._-])(?:test|spec)s?(?=[._-]|$)|Tests?(?=\.)/g, ""));
  if (normalizeName(about) === normalizeName(getSearchWord(path))) return true;
  return (
    getParentFolder(test) === getParentFolder(path) &&
    normalizeName(about) === normalizeName(getStem(getPlainName(path)))
  );
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function getPlainName(path: string): string {
  return path.split("/").at(-1) ?? "";
}

function getParentFolder(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
