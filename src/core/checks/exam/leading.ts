import { toolOf } from "../tamper/check-tool.ts";
import { segmentsOf } from "../tamper/shell-line.ts";

/** A text that leads to tests, and the folders from which its paths may be meant. */
export type Leading = {
  readonly text: string;
  readonly folders: readonly string[];
  /**
   * A configured line, a script of a manifest or a shell script; a Makefile and its like; a program or the settings of one
   * that tests; settings by which the product is built, too.
   */
  readonly kind: "line" | "recipe" | "program" | "shared";
};

/** Words of such texts that may be paths. */
export type Words = {
  /** Stand where files may be run. */
  readonly run: ReadonlySet<string>;
  /** Stand where files are only read, built or listed, as far as can be seen. */
  readonly named: ReadonlySet<string>;
  readonly globs: readonly string[];
};

/**
 * Everything in the texts that may name a file. Which word of a line is the program is not asked: options, variables,
 * loops and other programs may stand before it.
 */
export function wordsIn(texts: readonly Leading[]): Words {
  const parts = texts.flatMap(partsOf);
  const wordsOf = (isRun: boolean) =>
    new Set(
      parts
        .filter((part) => part.isRun === isRun)
        .flatMap(({ words }) => [...words.flatMap(plainIn), ...modulesIn(words)]),
    );
  const globs = parts.flatMap(({ words, folders }) =>
    words.flatMap(globsIn).flatMap((glob) => folders.map((folder) => `${folder}${glob}`)),
  );
  return { run: wordsOf(true), named: wordsOf(false), globs: [...new Set(globs)].slice(0, MOST_GLOBS) };
}

/** Beyond this many they are not compared with every file. */
const MOST_GLOBS = 100;

type Part = Pick<Leading, "folders"> & { readonly words: readonly string[]; readonly isRun: boolean };

function partsOf({ text, folders, kind }: Leading): readonly Part[] {
  if (kind === "program" || kind === "shared")
    return [{ words: text.split(/\s+/), folders, isRun: kind === "program" }];
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) =>
      segmentsOf(line.replace(/^\s*[@+-]+/, "")).map(({ words }) => ({
        words,
        folders,
        isRun: !onlyReads(words) && (kind === "line" || /^\s/.test(line)),
      })),
    );
}

/** A linter, a compiler or a copy does not run what it is given; neither does who gives it a name. */
function onlyReads(words: readonly string[]): boolean {
  const kind = toolOf(words)?.kind;
  if (kind === "lint" || kind === "types" || kind === "build") return true;
  const [first = "", second = ""] = words;
  return READS.test(first) || (/(?:^|\/)go$/.test(first) && second !== "run") || isAssignment(words);
}

const READS =
  /^(?:.*\/)?(?:cp|mv|rsync|tar|zip|install|mkdir|rm|ln|ls|cat|echo|printf|sed|touch|chmod|git|docker|cc|gcc|g\+\+|c\+\+|clang(?:\+\+)?|\$[({](?:CC|CXX|LD|AR)[)}]|javac|kotlinc|rustc|swc|babel|parcel|ncc|terser|sass|gofmt|clang-format)$/;

function isAssignment(words: readonly string[]): boolean {
  return words.length === 1 ? /^\w+[:?+]?=/.test(words[0] ?? "") : /^[:?+]?=/.test(words[1] ?? "");
}

/** `--import=./x.js`, `"$HERE"/x.py`, `$(dirname "$0")/x.py`, `<rootDir>/x.js`, `a.py:b.py`: what is left when cut. */
function plainIn(word: string): readonly string[] {
  return word.split(/[\s"'`=:;,(){}[\]<>|&]+/).flatMap((each) => {
    const plain = each.replace(/^(?:(?:\.{1,2}|\$\w*|~)?\/+)+/, "").replace(/\/$/, "");
    return /^\w[\w@.+/-]*$|^[@.][\w.-]+\/[\w@.+/-]+$/.test(plain) ? [plain] : [];
  });
}

/** `python3 -m verify`, `pytest -p values`: alone such a word would be any word. */
function modulesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => (/^-[mp]$/.test(words[at - 1] ?? "") ? [`-m ${word}`] : []));
}

function globsIn(word: string): readonly string[] {
  return word.split(/[\s"'`=;()<>|&]+/).flatMap((each) => {
    const plain = each.replace(/^(?:(?:\.{1,2}|\$\w+|\$\{\w+\})?\/+)+/, "");
    return /[*?[]/.test(plain) && !/[$!]|^-/.test(plain) ? [plain] : [];
  });
}
