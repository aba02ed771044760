import { isTestSettings, type PathKind, pathKind } from "./exam-path.ts";
import { type MentionLine, mentionsFile, stemOf, wordFor } from "./mention.ts";

/** `from` names `to`, as far as their texts say. */
export type Use = {
  readonly from: string;
  readonly to: string;
  readonly by: "exam" | "code" | "open";
  readonly setUp: boolean;
  readonly text: string;
};

/** Which of the files these lines name. `open`: who names it is itself a file of which that is the question. */
export function usesIn(lines: readonly MentionLine[], files: readonly string[]): readonly Use[] {
  const byWord = [...Map.groupBy(files, wordFor)];
  return lines.flatMap((line) => {
    const by = userOf(line);
    if (by === undefined) return [];
    const likely = byWord.flatMap(([word, paths]) => (line.text.includes(word) ? paths : []));
    const named = likely.filter((path) => mentionsFile(line, path));
    return named.map((to) => ({ from: line.path, to, by, setUp: setsUp(line, to), text: line.text }));
  });
}

type Question = {
  readonly files: readonly string[];
  readonly uses: readonly Use[];
  /** Tests of the tree that lie beside one of the files. */
  readonly beside?: readonly string[];
};

/**
 * Those of the files that are the exam, by who uses them. A file that only tests import may be the very thing that
 * they test, so being used by tests alone is not enough: its path must say that it is there for them, no test may be
 * named after it, or the settings of a test program must load it.
 */
export function examAmong({ files, uses, beside = [] }: Question): ReadonlySet<string> {
  const code = codeAmong(uses);
  const tested = (path: string, own: readonly Use[]) =>
    own.some(({ from }) => isTestOf(from, path)) ||
    beside.some((test) => folderOf(test) === folderOf(path) && isTestOf(test, path));
  const exam = files.filter((path) => {
    const own = uses.filter(({ to }) => to === path);
    return !code.has(path) && isExam(path, own) && (isLikely(path) || !tested(path, own));
  });
  return new Set(exam);
}

function isLikely(path: string): boolean {
  const kind = pathKind(path);
  return kind === "exam" || kind === "likely";
}

function isExam(path: string, own: readonly Use[]): boolean {
  if (isLikely(path)) return true;
  if (pathKind(path) === "support") return own.some(({ by }) => by !== "code");
  return own.some(({ setUp }) => setUp) && own.every(({ from }) => pathKind(from) === "mixed" || isTestSettings(from));
}

/** What code uses is code, and so is what that uses. Names that are tests by themselves stay what they are. */
function codeAmong(uses: readonly Use[]): ReadonlySet<string> {
  const code = new Set<string>();
  for (let before = -1; before !== code.size; ) {
    before = code.size;
    for (const { from, to, by } of uses) {
      if ((by === "code" || (by === "open" && code.has(from))) && pathKind(to) !== "exam") code.add(to);
    }
  }
  return code;
}

/** They speak of files without using them. */
const TALK =
  /\.(?:md|mdx|rst|adoc|txt|lock|svg|log)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|LICENSE|CODEOWNERS)$|^\.github\/|^docs?\//;

const USERS: Readonly<Record<PathKind, Use["by"]>> = {
  exam: "exam",
  likely: "open",
  support: "open",
  mixed: "code",
  code: "code",
};

function userOf({ path, text }: MentionLine): Use["by"] | undefined {
  if (TALK.test(path)) return undefined;
  return isManifest(path) && TEST_LINE.test(text) ? "exam" : USERS[pathKind(path)];
}

const TEST_LINE = /\b(?:pre|post)?tests?\b|\b(?:jest|vitest|mocha|ava|tap|pytest|karma|playwright)\b|setup-?[Ff]iles/;
const LOADS = /set-?up|teardown|preload|reporter|environment|resolver|transform|loader|plugins|require|import/i;
const STARTER = /(?:^|\/)(?:scripts?|tools?|ci|hack|config)\/|(?:set-?up|teardown|check|tests?)[^/]*$/i;

/** Does the line make a test program load the file, or is it how tests are started? */
function setsUp({ path, text }: MentionLine, file: string): boolean {
  if (isManifest(path)) return TEST_LINE.test(text) && STARTER.test(file);
  return isTestSettings(path) && (LOADS.test(text) || STARTER.test(file));
}

function isManifest(path: string): boolean {
  return pathKind(path) === "mixed" && !path.endsWith(".rs");
}

/** `slug.test.ts`, `test_slug.py`, `SlugTest.java` are about `slug`. */
function isTestOf(test: string, path: string): boolean {
  if (!isLikely(test)) return false;
  const about = stemOf(nameOf(test).replaceAll(/(?:^|[._-])(?:test|spec)s?(?=[._-]|$)|Tests?(?=\.)/g, ""));
  if (plain(about) === plain(wordFor(path))) return true;
  return folderOf(test) === folderOf(path) && plain(about) === plain(stemOf(nameOf(path)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
