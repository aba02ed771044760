import { isOwnModule, isOwnName, NO_PACKAGES, type OwnPackages } from "./own-packages.ts";

/** Line of a file that may name another one. */
export type MentionLine = { readonly path: string; readonly text: string };

/**
 * Returns the word that a line needs to name the file: its name without extension, or that of its folder if the name is
 * generic.
 */
export function getSearchWord(path: string): string {
  const parts = path.split("/");
  const name = getStem(parts.at(-1) ?? "");
  const folder = parts.at(-2);
  const byFolder = path.endsWith(".go") || /^(?:index|__init__|mod)$/.test(name);
  return byFolder && folder !== undefined ? folder : name;
}

export function getStem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Returns whether the line names the file in the way of its language. */
export function isMentioned({ path: from, text }: MentionLine, path: string, own: OwnPackages = NO_PACKAGES): boolean {
  if (from === path) return false;
  if (listQuoted(text).some((said) => isOwnName({ said, path }, own))) return true;
  if (!text.includes(getSearchWord(path))) return false;
  if (from.endsWith(".py") && listPythonModules(text, from).some((said) => isOwnModule({ said, path }, own)))
    return true;
  const word = getSearchWord(path);
  const isMeant = (said: string) => said.includes(word) && isPathMeant({ said, from, path });
  if (listQuoted(text).some(isMeant)) return true;
  if (RECIPES.test(from) && text.split(/[\s:=;,()]+/).some(isMeant)) return true;
  if (DOTTED.test(from) && listDottedNames(text).some((module) => isModule(toModulePath(path), module))) return true;
  if (from.endsWith(".py")) return listPythonModules(text, from).some((module) => isModule(toModulePath(path), module));
  if (from.endsWith(".rs")) return isModuleDeclared({ path: from, text }, path);
  return WORDY.test(from) && hasWord(text, getSearchWord(path));
}

/** Returns whether the words of the line allow an import of the named file, or only contain its path in a text. */
export function mayImport(text: string): boolean {
  return IMPORTS.test(text);
}

/** Includes a path alone on its line, because the call may span several lines. */
const IMPORTS = /\b(?:import\w*|from|require|include\w*|load\w*|exec\w*|use|mod)\b|^\s*["'`][^"'`]+["'`][\s,;)]*$/;

/** Returns whether the language has no import words, so that naming a file is using it. */
export function isUsedByName(path: string): boolean {
  return WORDY.test(path) || path.endsWith(".go");
}

/** Files that name Python modules in texts: `pytest_plugins = ["qa.fixtures"]`, `addopts = -p qa.fixtures`. */
const DOTTED = /\.(?:py|ini|cfg|toml)$/;

function listDottedNames(text: string): readonly string[] {
  return text
    .split(/[\s"'`,=()[\]]+/)
    .flatMap((said) => (/^\w+(?:\.\w+)+$/.test(said) ? [said.replaceAll(".", "/")] : []));
}

/** Files whose words have no quotes. */
const RECIPES = /(?:^|\/)(?:(?:GNU)?[Mm]akefile|[^/]+\.mk|[Jj]ustfile)$/;

/** Languages that use a file's name as a word, without a path. */
const WORDY = /\.(?:java|kt|scala|groovy|cs|php|rb|swift|c|cc|cpp|h|hpp|ex|exs)$/;

function hasWord(text: string, word: string): boolean {
  return text.split(/[^\w-]+/).includes(word) || text.split(/\W+/).includes(word);
}

/** A Rust file is compiled because another file declares it as a module beside itself or in the folder of its name. */
function isModuleDeclared({ path: from, text }: MentionLine, path: string): boolean {
  const [, name] = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(text) ?? [];
  const beside = from.split("/").slice(0, -1);
  const homes = [beside, removeExtension(from).split("/")].map((parts) => [...parts, name].join("/"));
  return name !== undefined && homes.some((home) => path === `${home}.rs` || path === `${home}/mod.rs`);
}

export function listQuoted(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"([^"]{1,300})"|'([^']{1,300})'|`([^`]{1,300})`/g)];
  const said = quoted.map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  // A script is one quoted text of several words.
  return said.flatMap((each) => (/\s/.test(each) ? each.split(/[\s=]+/) : [each]));
}

type PathMention = { readonly said: string; readonly from: string; readonly path: string };

function isPathMeant({ said, from, path }: PathMention): boolean {
  const folder = from.split("/").slice(0, -1);
  if (said.startsWith(".")) return isSame(resolveMention(folder, said), path);
  if (from.endsWith(".go") && path.endsWith(".go")) {
    const home = path.split("/").slice(0, -1).join("/");
    return home !== "" && (said === home || said.endsWith(`/${home}`));
  }
  const parts = said.split("/").filter((part) => part !== "" && part !== "<rootDir>" && part !== "~");
  if (parts.length === 1) return /\.\w+$/.test(said) && isSame(resolveMention(folder, said), path);
  // `@/testing/render`, `app/testing/render`: an alias or a package precedes the rest.
  const whole = parts.join("/");
  const rest = parts.slice(1).join("/");
  return [whole, ...(parts.length > 2 ? [rest] : [])].some(
    (tail) =>
      isSame(tail, path) || isSuffixOfPath(path, tail) || isSuffixOfPath(toModulePath(path), toModulePath(tail)),
  );
}

function isSame(said: string, path: string): boolean {
  return (
    said === path ||
    toModulePath(said) === toModulePath(path) ||
    said === toModulePath(path) ||
    `${said}/index` === removeExtension(path)
  );
}

function isSuffixOfPath(path: string, tail: string): boolean {
  return tail !== "" && (path === tail || path.endsWith(`/${tail}`));
}

const ENDING = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|rs)$/;

function removeExtension(path: string): string {
  return path.replace(ENDING, "");
}

/** Converts to the form of module names: without extension, and a folder for its entry file. */
function toModulePath(path: string): string {
  return removeExtension(path).replace(/\/(?:index|__init__)$/, "");
}

function resolveMention(folder: readonly string[], said: string): string {
  const parts = [...folder];
  for (const part of said.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** `from a.b import c` may mean the module a.b or the module a.b.c. */
export function listPythonModules(text: string, from: string): readonly string[] {
  const [, dots = "", module = "", names = ""] =
    /^\s*from\s+(\.*)([\w.]*)\s+import\s+\(?([\w\s,]*)/.exec(text) ?? /^\s*import\s+()([\w.]+)/.exec(text) ?? [];
  if (dots === "" && module === "") return [];
  const folder = from.split("/").slice(0, dots === "" ? -1 : -dots.length);
  const inner = module.split(".").filter((part) => part !== "");
  const beside = [...folder, ...inner].join("/");
  const bases = dots === "" ? [beside, inner.join("/")] : [beside];
  const own = names.split(/[\s,]+/).filter((name) => /^\w+$/.test(name));
  return bases.flatMap((base) => [base, ...own.map((name) => (base === "" ? name : `${base}/${name}`))]);
}

/** A single word is a top-level module; several may be anywhere below a source folder. */
function isModule(path: string, module: string): boolean {
  return path === module || path === `src/${module}` || (module.includes("/") && isSuffixOfPath(path, module));
}
