import { matchesGlob } from "../guard/glob.ts";
import { languageOf } from "../tamper/test-language.ts";
import type { Words } from "./leading.ts";
import { isTelling } from "./places.ts";
import { OWN } from "./started.ts";

/** Mention of a file in the texts that lead to tests: it may be run, or is only named. */
export type Spoken = "run" | "named" | undefined;

/**
 * Classifies the mention. The path may occur whole or from a folder on, as a module, or as the folder whose entry it
 * is.
 */
export function spokenOf(path: string, words: Words): Spoken {
  if (!isProgram(path)) return undefined;
  const said = sayings(path);
  const isRun = [...said, ...entered(path)].some((each) => words.run.has(each));
  if (isRun) return COMPILED.test(path) ? "named" : "run";
  if (said.some((each) => words.named.has(each)) || isMatched(path, words.globs)) return "named";
  return undefined;
}

type Asked = { readonly spoken: Spoken; readonly path: string; readonly used: boolean };

/**
 * Returns whether the file may influence test results. A file among the sources, or one that is only named, is product
 * code if others import it; a file that nobody imports can only be run by a line.
 */
export function mayJudge({ spoken, path, used }: Asked): boolean {
  if (spoken === undefined || (OWN.test(path) && used)) return false;
  return spoken === "run" || !(OWN.test(path) || used);
}

/** Product sources of this kind have a header, and words alone cannot show who uses it. */
export function headersOf(path: string): RegExp | undefined {
  if (!/\.(?:c|cc|cpp|cxx|m|mm)$/.test(path)) return undefined;
  return new RegExp(`(?:^|/)${stem(nameOf(path)).replaceAll(/[^\w]/g, "\\$&")}\\.(?:h|hh|hpp|hxx)$`);
}

function isProgram(path: string): boolean {
  return languageOf(path) !== undefined || SCRIPTS.test(path) || COMPILED.test(path);
}

const SCRIPTS = /\.(?:sh|bash|zsh|pl|lua|ps1|R|jl|exs?|tcl|awk)$/;
/** Compiled files, which are not run by name. */
const COMPILED = /\.(?:c|cc|cpp|cxx|m|mm|java|kt|scala|cs|rs|swift|zig|d|hs|ml)$/;
/** Common file names, which alone do not identify a file. */
const ENTRY = /^(?:index|main|mod|__init__|__main__)\.\w+$/;

function sayings(path: string): readonly string[] {
  const parts = path.split("/");
  const tails = parts.map((_part, at) => parts.slice(at).join("/"));
  const whole = tails.filter((tail) => tail === path || tail.includes("/") || !ENTRY.test(tail));
  const bare = tails.map(stem);
  const dotted = path.endsWith(".py") ? tails.map((tail) => stem(tail).replaceAll("/", ".")) : [];
  const modules = dotted.map((module) => (module.includes(".") ? module : `-m ${module}`));
  return [...whole, ...bare.filter((tail) => tail.includes("/")), ...modules];
}

/**
 * `go run ./ci/verify`, `node ci/verify`, `python3 -m ci`: the folder stands for the file in it. Does not apply to
 * sources.
 */
function entered(path: string): readonly string[] {
  const folders = path.split("/").slice(0, -1);
  if (folders.length === 0 || (OWN.test(path) && !path.endsWith(".go"))) return [];
  if (!ENTRY.test(nameOf(path)) && !path.endsWith(".go")) return [];
  return folders.map((_part, at) => folders.slice(at).join("/")).filter((tail, at) => at === 0 || tail.includes("/"));
}

function isMatched(path: string, globs: readonly string[]): boolean {
  const likely = globs.filter((glob) => path.startsWith(glob.slice(0, glob.search(/[*?[{]/))) && isTelling(glob));
  return likely.some((glob) => matchesGlob(path, glob));
}

function stem(name: string): string {
  return name.replace(/\.\w+$/, "");
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
