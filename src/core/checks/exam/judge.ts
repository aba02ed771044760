import { matchesGlob } from "../guard/glob.ts";
import { languageOf } from "../tamper/test-language.ts";
import type { Words } from "./leading.ts";
import { isTelling } from "./places.ts";
import { OWN } from "./started.ts";

/** How the texts that lead to tests speak of a file: it may be run, or it is only named. */
export type Spoken = "run" | "named" | undefined;

/** Its path may stand there whole or from a folder on, as a module, or by the folder that it is the entry of. */
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
 * May the file decide about tests? What lies among the sources, or is only named, and is imported by others is the
 * product; of what nobody imports only a line can be what makes it run.
 */
export function mayJudge({ spoken, path, used }: Asked): boolean {
  if (spoken === undefined || (OWN.test(path) && used)) return false;
  return spoken === "run" || !(OWN.test(path) || used);
}

/** The product's half of such a source has a header; word by word nobody could tell who uses it. */
export function headersOf(path: string): RegExp | undefined {
  if (!/\.(?:c|cc|cpp|cxx|m|mm)$/.test(path)) return undefined;
  return new RegExp(`(?:^|/)${stem(nameOf(path)).replaceAll(/[^\w]/g, "\\$&")}\\.(?:h|hh|hpp|hxx)$`);
}

function isProgram(path: string): boolean {
  return languageOf(path) !== undefined || SCRIPTS.test(path) || COMPILED.test(path);
}

const SCRIPTS = /\.(?:sh|bash|zsh|pl|lua|ps1|R|jl|exs?|tcl|awk)$/;
/** Nobody runs them by naming them. */
const COMPILED = /\.(?:c|cc|cpp|cxx|m|mm|java|kt|scala|cs|rs|swift|zig|d|hs|ml)$/;
/** Too many files bear such a name: alone it says nothing of any of them. */
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

/** `go run ./ci/verify`, `node ci/verify`, `python3 -m ci`: the folder stands for the file in it. Not for sources. */
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
