import { findCheckTool } from "../tamper/check-tool.ts";
import { splitSegments } from "../tamper/shell-line.ts";

/** Text that leads to tests, and the folders that its paths may be relative to. */
export type LeadingText = {
  readonly text: string;
  readonly folders: readonly string[];
  /**
   * `line`: a configured line, a script of a manifest or a shell script; `recipe`: a Makefile or similar; `program`: a
   * program that runs tests, or its settings; `shared`: settings that the product is built with too.
   */
  readonly kind: "line" | "recipe" | "program" | "shared";
};

/** Words of such texts that may be paths. */
export type PathWords = {
  /** Words in positions where files may be run. */
  readonly run: ReadonlySet<string>;
  /** Words in positions where files are only read, built or listed, as far as that is visible. */
  readonly named: ReadonlySet<string>;
  readonly globs: readonly string[];
};

/**
 * Collects every word of the texts that may name a file. The position of the program in a line is not determined,
 * because options, variables, loops and other programs may precede it.
 */
export function collectPathWords(texts: readonly LeadingText[]): PathWords {
  const parts = texts.flatMap(splitLeadingText);
  const collectWords = (isRun: boolean) =>
    new Set(
      parts
        .filter((part) => part.isRun === isRun)
        .flatMap(({ words }) => [...words.flatMap(extractPlainPaths), ...extractModules(words)]),
    );
  const globs = parts.flatMap(({ words, folders }) =>
    words.flatMap(extractGlobs).flatMap((glob) => folders.map((folder) => `${folder}${glob}`)),
  );
  return { run: collectWords(true), named: collectWords(false), globs: [...new Set(globs)].slice(0, MOST_GLOBS) };
}

/** More globs are not compared with every file. */
const MOST_GLOBS = 100;

type LeadingPart = Pick<LeadingText, "folders"> & { readonly words: readonly string[]; readonly isRun: boolean };

function splitLeadingText({ text, folders, kind }: LeadingText): readonly LeadingPart[] {
  if (kind === "program" || kind === "shared")
    return [{ words: text.split(/\s+/), folders, isRun: kind === "program" }];
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) =>
      splitSegments(line.replace(/^\s*[@+-]+/, "")).map(({ words }) => ({
        words,
        folders,
        isRun: !isOnlyReading(words) && (kind === "line" || /^\s/.test(line)),
      })),
    );
}

/** A linter, a compiler or a copy does not run its arguments, and neither does an assignment. */
function isOnlyReading(words: readonly string[]): boolean {
  const kind = findCheckTool(words)?.kind;
  if (kind === "lint" || kind === "types" || kind === "build") return true;
  const [first = "", second = ""] = words;
  return READS.test(first) || (/(?:^|\/)go$/.test(first) && second !== "run") || isAssignment(words);
}

const READS =
  /^(?:.*\/)?(?:cp|mv|rsync|tar|zip|install|mkdir|rm|ln|ls|cat|echo|printf|sed|touch|chmod|git|docker|cc|gcc|g\+\+|c\+\+|clang(?:\+\+)?|\$[({](?:CC|CXX|LD|AR)[)}]|javac|kotlinc|rustc|swc|babel|parcel|ncc|terser|sass|gofmt|clang-format)$/;

function isAssignment(words: readonly string[]): boolean {
  return words.length === 1 ? /^\w+[:?+]?=/.test(words[0] ?? "") : /^[:?+]?=/.test(words[1] ?? "");
}

/**
 * `--import=./x.js`, `"$HERE"/x.py`, `$(dirname "$0")/x.py`, `<rootDir>/x.js`, `a.py:b.py`: the paths that remain after
 * splitting.
 */
function extractPlainPaths(word: string): readonly string[] {
  return word.split(/[\s"'`=:;,(){}[\]<>|&]+/).flatMap((each) => {
    const plain = each.replace(/^(?:(?:\.{1,2}|\$\w*|~)?\/+)+/, "").replace(/\/$/, "");
    return /^\w[\w@.+/-]*$|^[@.][\w.-]+\/[\w@.+/-]+$/.test(plain) ? [plain] : [];
  });
}

/** `python3 -m verify`, `pytest -p values`: without the option such a word could be anything. */
function extractModules(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => (/^-[mp]$/.test(words[at - 1] ?? "") ? [`-m ${word}`] : []));
}

function extractGlobs(word: string): readonly string[] {
  return word.split(/[\s"'`=;()<>|&]+/).flatMap((each) => {
    const plain = each.replace(/^(?:(?:\.{1,2}|\$\w+|\$\{\w+\})?\/+)+/, "");
    return /[*?[]/.test(plain) && !/[$!]|^-/.test(plain) ? [plain] : [];
  });
}
