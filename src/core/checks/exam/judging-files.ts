import { matchesGlob } from "../guard/glob.ts";
import { getTestLanguage } from "../tamper/test-language.ts";
import type { PathWords } from "./leading-words.ts";
import { OWN } from "./started-programs.ts";
import { isSpecificGlob } from "./test-places.ts";

/** Mention of a file in the texts that lead to tests: it may be run, or is only named. */
export type MentionKind = "run" | "named" | undefined;

/**
 * Classifies the mention. The path may occur whole or from a folder on, as a module, or as the folder whose entry it
 * is.
 */
export function classifyMention(path: string, words: PathWords): MentionKind {
  if (!isProgram(path)) return undefined;
  const said = listPathForms(path);
  const isRun = [...said, ...listEntryForms(path)].some((each) => words.run.has(each));
  if (isRun) return COMPILED.test(path) ? "named" : "run";
  if (said.some((each) => words.named.has(each)) || isMatched(path, words.globs)) return "named";
  return undefined;
}

type JudgeQuestion = { readonly spoken: MentionKind; readonly path: string; readonly used: boolean };

/**
 * Returns whether the file may influence test results. A file among the sources, or one that is only named, is product
 * code if others import it; a file that nobody imports can only be run by a line.
 */
export function mayJudge({ spoken, path, used }: JudgeQuestion): boolean {
  if (spoken === undefined || (OWN.test(path) && used)) return false;
  return spoken === "run" || !(OWN.test(path) || used);
}

/** Product sources of this kind have a header, and words alone cannot show who uses it. */
export function getHeaderPattern(path: string): RegExp | undefined {
  if (!/\.(?:c|cc|cpp|cxx|m|mm)$/.test(path)) return undefined;
  return new RegExp(`(?:^|/)${removeEnding(getBaseName(path)).replaceAll(/[^\w]/g, "\\$&")}\\.(?:h|hh|hpp|hxx)$`);
}

function isProgram(path: string): boolean {
  return getTestLanguage(path) !== undefined || SCRIPTS.test(path) || COMPILED.test(path);
}

const SCRIPTS = /\.(?:sh|bash|zsh|pl|lua|ps1|R|jl|exs?|tcl|awk)$/;
/** Compiled files, which are not run by name. */
const COMPILED = /\.(?:c|cc|cpp|cxx|m|mm|java|kt|scala|cs|rs|swift|zig|d|hs|ml)$/;
/** Common file names, which alone do not identify a file. */
const ENTRY = /^(?:index|main|mod|__init__|__main__)\.\w+$/;

function listPathForms(path: string): readonly string[] {
  const parts = path.split("/");
  const tails = parts.map((_part, at) => parts.slice(at).join("/"));
  const whole = tails.filter((tail) => tail === path || tail.includes("/") || !ENTRY.test(tail));
  const bare = tails.map(removeEnding);
  const dotted = path.endsWith(".py") ? tails.map((tail) => removeEnding(tail).replaceAll("/", ".")) : [];
  const modules = dotted.map((module) => (module.includes(".") ? module : `-m ${module}`));
  return [...whole, ...bare.filter((tail) => tail.includes("/")), ...modules];
}

/**
 * `go run ./ci/verify`, `node ci/verify`, `python3 -m ci`: the folder stands for the file in it. Does not apply to
 * sources.
 */
function listEntryForms(path: string): readonly string[] {
  const folders = path.split("/").slice(0, -1);
  if (folders.length === 0 || (OWN.test(path) && !path.endsWith(".go"))) return [];
  if (!ENTRY.test(getBaseName(path)) && !path.endsWith(".go")) return [];
  return folders.map((_part, at) => folders.slice(at).join("/")).filter((tail, at) => at === 0 || tail.includes("/"));
}

function isMatched(path: string, globs: readonly string[]): boolean {
  const likely = globs.filter((glob) => path.startsWith(glob.slice(0, glob.search(/[*?[{]/))) && isSpecificGlob(glob));
  return likely.some((glob) => matchesGlob(path, glob));
}

function removeEnding(name: string): string {
  return name.replace(/\.\w+$/, "");
}

function getBaseName(path: string): string {
  return path.split("/").at(-1) ?? "";
}
