import { languageOf } from "../../tamper/test-language.ts";
import { pathKind } from "../exam-path.ts";
import { type MentionLine, mayImport, mentionsFile, quotedIn, stemOf, wordFor } from "./mention.ts";
import { type Use, userOf } from "./use.ts";

/** Exam file that the product may read. */
export type ExamFile = {
  readonly path: string;
  /** Tests were collected from it: mentioning it is not a use, importing it is. */
  readonly collected: boolean;
  /** Code has a file of the same name or stem, which that name alone refers to. */
  readonly sharesName: boolean;
  readonly sharesStem: boolean;
};

/** Lists words of lines that mention the file; one of them is required. */
export function searchWordsOf({ path, collected, sharesName, sharesStem }: ExamFile): readonly string[] {
  if (collected) return [wordFor(path)];
  const folders = foldersOf(path).flatMap((folder) => {
    const name = nameOf(folder);
    return [`${name}/`, `${name}"`, `${name}'`, `${name}\``];
  });
  return [
    wordFor(path),
    ...(sharesName ? [] : [nameOf(path)]),
    ...(sharesStem ? [] : [stemOf(nameOf(path))]),
    ...folders,
    ...(path.endsWith(".py") ? [] : ["go:embed"]),
  ];
}

/**
 * Returns whether the line lets its program read the file: by its path, by its name alone, or by a parent folder,
 * because products join paths at run time. False positives are preferred; they only cost an exam run.
 */
export function readsFile(line: MentionLine, wanted: ExamFile): boolean {
  const { path, collected } = wanted;
  if (line.path === path || readerOf(line) === undefined) return false;
  if (collected) return mayImport(line.text) && !line.path.endsWith(".go") && mentionsFile(line, path);
  if (mentionsFile(line, path)) return true;
  // A manifest mentions files by path; its other words are for other programs.
  if (pathKind(line.path) === "mixed" && !line.path.endsWith(".rs")) return false;
  const said = [...new Set([...quotedIn(line.text), ...wordsIn(line.text), ...embeddedIn(line.text)])];
  return said.some((each) => isName(each, line, wanted)) || (!isSettings(line.path) && namesFolder(said, line, path));
}

/**
 * Classifies the file of the line. A source counts at any location, because product code can be loaded from a folder of
 * documents too.
 */
export function readerOf(line: MentionLine): Use["by"] | undefined {
  return userOf(line) ?? (languageOf(line.path) ? "code" : undefined);
}

const READS = /import|require|load|read|open|join|resolve|path|url|file|glob|embed|include|exec|dir|\//i;

/** Unquoted words only if they look like a path: `//go:embed testdata/rates.txt`. */
function wordsIn(text: string): readonly string[] {
  return text.split(/[\s"'`()[\]{}<>=,;]+/).filter((word) => /[./]/.test(word));
}

/** `//go:embed plans all:more`: files, and whole folders. */
function embeddedIn(text: string): readonly string[] {
  const [, patterns = ""] = /^\s*\/\/go:embed\s+(.*)$/.exec(text) ?? [];
  return patterns.split(/[\s"`]+/).map((each) => each.replace(/^all:/, ""));
}

/** `"/schema.json"`, `"tox.ini"`; `join(root, "oracle")`, `"tests.oracle"`. */
function isName(said: string, { text }: MentionLine, { path, sharesName, sharesStem }: ExamFile): boolean {
  const name = nameOf(path);
  if (!sharesName && said.split(/[/\\]/).at(-1) === name) return true;
  return !sharesStem && READS.test(text) && said.split(/[/\\.:]/).at(-1) === stemOf(name);
}

/** `"../spec"`, `"spec/*.json"`, `spec/${name}.json`; a single word only if the line makes a path of it. */
function namesFolder(said: readonly string[], { path: from, text }: MentionLine, path: string): boolean {
  const folders = foldersOf(path);
  const home = foldersOf(from).at(0) ?? "";
  return said.some((each) => {
    if (!each.includes("/") && !PATHS.test(text)) return false;
    const parts = knownParts(each);
    const plain = parts.filter((part) => part !== "." && part !== "..").join("/");
    return plain !== "" && (folders.includes(plain) || folders.includes(resolved(home, parts)));
  });
}

const PATHS =
  /\b(?:join|resolve|joinpath|Path|URL|readdir\w*|listdir|scandir|walk|glob\w*|open\w*|fromFile|File|dirname|go:embed)\b/;

/** Up to the first part that is known only at run time. */
function knownParts(said: string): readonly string[] {
  const parts = said.split(/[/\\]/).filter((part) => part !== "");
  const open = parts.findIndex((part) => /[*$%{}?]/.test(part));
  return open < 0 ? parts : parts.slice(0, open);
}

function resolved(home: string, parts: readonly string[]): string {
  const found = home === "" ? [] : home.split("/");
  for (const part of parts) {
    if (part === "..") found.pop();
    else if (part !== ".") found.push(part);
  }
  return found.join("/");
}

/** Settings of formatters, linters and compilers name the test folder without reading its content. */
function isSettings(path: string): boolean {
  return /(?:^|\/)\.[^/]+$|\.config\.\w+$|\.(?:json|jsonc|ya?ml|toml|ini|cfg)$|^(?:scripts?|tools?)\//.test(path);
}

/** From the innermost to the topmost folder. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join("/"));
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
