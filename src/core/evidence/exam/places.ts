import { matchesAny } from "../glob.ts";
import { OWN, type Starts } from "./started.ts";
import type { Use } from "./use.ts";

/** Globs of what a line names as tests by where it lies, whatever it is called. */
export function placesIn(line: string): readonly string[] {
  return line.split(/&&|\|\||[;|&\n]/).flatMap((command) => {
    const words = command.replaceAll(/["'=]/g, " ").split(/\s+/);
    const runner = words.findIndex((word) => RUNNER.test(word));
    if (runner < 0) return [];
    const rest = words.slice(runner + 1);
    const takesFolders = TAKES_FOLDERS.test(words[runner] ?? "");
    const globs = rest.filter((word) => word.includes("*"));
    // The word behind an option may be its value.
    const folders = rest.filter((word, at) => takesFolders && FOLDER.test(word) && !rest[at - 1]?.startsWith("-"));
    return [...globs.map(anywhere), ...folders.map((word) => `${word.replace(/\/$/, "")}/**`)].filter(isTelling);
  });
}

/** The same for the settings of a test program. */
export function placesOfSettings(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => KEYS.test(line));
  const words = lines.flatMap((line) => line.split(/["'`\s,=[\]]+/)).filter((word) => /\*/.test(word));
  return words.map((word) => anywhere(word.replace("<rootDir>/", ""))).filter(isTelling);
}

function isPlaced(path: string, places: readonly string[]): boolean {
  return places.length > 0 && SOURCE.test(path) && matchesAny(path, places);
}

/** A file that lies where tests do uses what it names as a test does. */
export function fromPlace(use: Use, { places }: Pick<Starts, "places">): Use {
  return isPlaced(use.from, places) ? { ...use, by: "exam" } : use;
}

/** Those of the files that are the exam by where they lie. What code uses is code; among the sources nobody can say. */
export function placedAmong(files: readonly string[], uses: readonly Use[], { places }: Pick<Starts, "places">) {
  const code = new Set(uses.filter(({ by }) => by === "code").map(({ to }) => to));
  const placed = files.filter((path) => isPlaced(path, places) && !code.has(path));
  return { exam: placed.filter((path) => !OWN.test(path)), unsure: placed.filter((path) => OWN.test(path)) };
}

const RUNNER = /^(?:\S*\/)?(?:pytest|py\.test|unittest|mocha|jest|vitest|ava|tap|tape|uvu|jasmine|--test)$/;
/** The others look for names within a folder that is named to them. */
const TAKES_FOLDERS = /^(?:\S*\/)?(?:mocha|ava|uvu|jasmine)$/;
const FOLDER = /^(?:\.\/)?[\w-]+(?:\/[\w-]+)*\/?$/;
const KEYS = /\b(?:python_files|testMatch|spec|include|spec_files)\b/;
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rb|php|coffee)$/;

/** A name without a folder counts in every folder. */
function anywhere(glob: string): string {
  const plain = glob.replace(/^(?:\.\/)+/, "");
  return plain.includes("/") ? plain : `**/${plain}`;
}

/** Everything among the sources, or everything at all, is no place of tests: there their names decide. */
function isTelling(glob: string): boolean {
  const name = glob.split("/").at(-1) ?? "";
  const isAny = /^\*+(?:\.[\w{},]+)?$/.test(name);
  return !(isAny && (OWN.test(glob) || glob.startsWith("**/"))) && !/[$!]/.test(glob);
}
