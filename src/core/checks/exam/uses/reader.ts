import { getTestLanguage } from "../../tamper/test-language.ts";
import { classifyPath } from "../exam-path.ts";
import { getSearchWord, getStem, isMentioned, listQuoted, type MentionLine, mayImport } from "./mention.ts";
import { classifyUser, type FileUse } from "./use.ts";

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
export function listSearchWords({ path, collected, sharesName, sharesStem }: ExamFile): readonly string[] {
  if (collected) return [getSearchWord(path)];
  const folders = listParentFolders(path).flatMap((folder) => {
    const name = getReadFileName(folder);
    return [`${name}/`, `${name}"`, `${name}'`, `${name}\``];
  });
  return [
    getSearchWord(path),
    ...(sharesName ? [] : [getReadFileName(path)]),
    ...(sharesStem ? [] : [getStem(getReadFileName(path))]),
    ...folders,
    ...(path.endsWith(".py") ? [] : ["go:embed"]),
  ];
}

/**
 * Returns whether the line lets its program read the file: by its path, by its name alone, or by a parent folder,
 * because products join paths at run time. False positives are preferred; they only cost an exam run.
 */
export function mayReadFile(line: MentionLine, wanted: ExamFile): boolean {
  const { path, collected } = wanted;
  if (line.path === path || classifyReader(line) === undefined) return false;
  if (collected) return mayImport(line.text) && !line.path.endsWith(".go") && isMentioned(line, path);
  if (isMentioned(line, path)) return true;
  // A manifest mentions files by path; its other words are for other programs.
  if (classifyPath(line.path) === "mixed" && !line.path.endsWith(".rs")) return false;
  const said = [...new Set([...listQuoted(line.text), ...listPathWords(line.text), ...listEmbedded(line.text)])];
  return said.some((each) => isName(each, line, wanted)) || (!isSettings(line.path) && isFolderNamed(said, line, path));
}

/**
 * Classifies the file of the line. A source counts at any location, because product code can be loaded from a folder of
 * documents too.
 */
export function classifyReader(line: MentionLine): FileUse["by"] | undefined {
  return classifyUser(line) ?? (getTestLanguage(line.path) ? "code" : undefined);
}

const READS = /import|require|load|read|open|join|resolve|path|url|file|glob|embed|include|exec|dir|\//i;

/** Unquoted words only if they look like a path: `//go:embed testdata/rates.txt`. */
function listPathWords(text: string): readonly string[] {
  return text.split(/[\s"'`()[\]{}<>=,;]+/).filter((word) => /[./]/.test(word));
}

/** `//go:embed plans all:more`: files, and whole folders. */
function listEmbedded(text: string): readonly string[] {
  const [, patterns = ""] = /^\s*\/\/go:embed\s+(.*)$/.exec(text) ?? [];
  return patterns.split(/[\s"`]+/).map((each) => each.replace(/^all:/, ""));
}

/** `"/schema.json"`, `"tox.ini"`; `join(root, "oracle")`, `"tests.oracle"`. */
function isName(said: string, { text }: MentionLine, { path, sharesName, sharesStem }: ExamFile): boolean {
  const name = getReadFileName(path);
  if (!sharesName && said.split(/[/\\]/).at(-1) === name) return true;
  return !sharesStem && READS.test(text) && said.split(/[/\\.:]/).at(-1) === getStem(name);
}

/** `"../spec"`, `"spec/*.json"`, `spec/${name}.json`; a single word only if the line makes a path of it. */
function isFolderNamed(said: readonly string[], { path: from, text }: MentionLine, path: string): boolean {
  const folders = listParentFolders(path);
  const home = listParentFolders(from).at(0) ?? "";
  return said.some((each) => {
    if (!each.includes("/") && !PATHS.test(text)) return false;
    const parts = listKnownParts(each);
    const plain = parts.filter((part) => part !== "." && part !== "..").join("/");
    return plain !== "" && (folders.includes(plain) || folders.includes(resolveParts(home, parts)));
  });
}

const PATHS =
  /\b(?:join|resolve|joinpath|Path|URL|readdir\w*|listdir|scandir|walk|glob\w*|open\w*|fromFile|File|dirname|go:embed)\b/;

/** Up to the first part that is known only at run time. */
function listKnownParts(said: string): readonly string[] {
  const parts = said.split(/[/\\]/).filter((part) => part !== "");
  const open = parts.findIndex((part) => /[*$%{}?]/.test(part));
  return open < 0 ? parts : parts.slice(0, open);
}

function resolveParts(home: string, parts: readonly string[]): string {
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
function listParentFolders(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join("/"));
}

function getReadFileName(path: string): string {
  return path.split("/").at(-1) ?? "";
}
