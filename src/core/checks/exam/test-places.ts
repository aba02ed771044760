import { matchesAny } from "../guard/glob.ts";
import { OWN, type StartedPrograms } from "./started-programs.ts";
import type { FileUse } from "./uses/use.ts";

/** Finds the globs of files that a line declares as tests by their location. */
export function findTestPlaces(line: string): readonly string[] {
  return line.split(/&&|\|\||[;|&\n]/).flatMap((command) => {
    const words = command.replaceAll(/["'=]/g, " ").split(/\s+/);
    const runner = words.findIndex((word) => RUNNER.test(word));
    if (runner < 0) return [];
    const rest = words.slice(runner + 1);
    const takesFolders = TAKES_FOLDERS.test(words[runner] ?? "");
    const globs = rest.filter((word, at) => word.includes("*") && !OTHERWISE.test(rest[at - 1] ?? ""));
    // The word after an option may be its value.
    const folders = rest.filter((word, at) => takesFolders && FOLDER.test(word) && !rest[at - 1]?.startsWith("-"));
    return [...globs.map(toAnywhereGlob), ...folders.map((word) => `${word.replace(/\/$/, "")}/**`)].filter(
      isSpecificGlob,
    );
  });
}

type Settings = { readonly path: string; readonly text: string };

/** Finds the same in the settings of a test program. Files whose coverage is counted are code. */
export function findSettingsPlaces({ path, text }: Settings): readonly string[] {
  const [, keys] = KEYS.find(([file]) => file.test(path)) ?? [];
  if (!keys) return [];
  const lines = text
    .replaceAll(/coverage\s*:\s*\{[^{}]*\}/g, "")
    .split("\n")
    .filter((line) => keys.test(line));
  const words = lines.flatMap((line) => line.split(/["'`\s,=[\]]+/)).filter((word) => word.includes("*"));
  return words.map((word) => toAnywhereGlob(word.replace("<rootDir>/", ""))).filter(isSpecificGlob);
}

function isPlaced(path: string, places: readonly string[]): boolean {
  return places.length > 0 && SOURCE.test(path) && matchesAny(path, places);
}

/** Treats the uses by a file in a test location like those of a test. */
export function toPlacedUse(use: FileUse, { places }: Pick<StartedPrograms, "places">): FileUse {
  return isPlaced(use.from, places) ? { ...use, by: "exam" } : use;
}

/**
 * Selects the files that are exam because of their location. A file that tests use, or that is among the sources, is
 * undecided; a file that code uses is code, but doubtful.
 */
export function selectPlacedFiles(
  files: readonly string[],
  uses: readonly FileUse[],
  { places }: Pick<StartedPrograms, "places">,
) {
  const code = new Set(uses.filter(({ by }) => by === "code").map(({ to }) => to));
  const all = files.filter((path) => isPlaced(path, places));
  const placed = all.filter((path) => !code.has(path));
  const isUnsure = (path: string) => OWN.test(path) || uses.some(({ to }) => to === path);
  return {
    exam: placed.filter((path) => !isUnsure(path)),
    unsure: placed.filter(isUnsure),
    doubtful: all.filter((path) => code.has(path)),
  };
}

const RUNNER = /^(?:\S*\/)?(?:pytest|py\.test|unittest|mocha|jest|vitest|ava|tap|tape|uvu|jasmine|--test)$/;
/** Other programs search for names in a given folder. */
const TAKES_FOLDERS = /^(?:\S*\/)?(?:mocha|ava|uvu|jasmine)$/;
const FOLDER = /^(?:\.\/)?[\w-]+(?:\/[\w-]+)*\/?$/;
const KEYS: readonly (readonly [file: RegExp, keys: RegExp])[] = [
  [/(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml)$/, /\bpython_files\b/],
  [/(?:^|\/)(?:jest|playwright)[\w.-]*\.config\.\w+$/, /\btestMatch\b/],
  [/(?:^|\/)vitest[\w.-]*\.\w+$/, /\binclude\b/],
  [/(?:^|\/)(?:\.mocharc\.\w+|jasmine[\w.-]*)$/, /\bspec(?:_files)?\b/],
];
const SOURCE = /(?<!\.d)\.(?:[cm]?[jt]sx?|py|rb|php|coffee)$/;
/** Options whose value is not a test. */
const OTHERWISE = /^-.*(?:cov|exclude|ignore|include|reporter|config|require|import)/i;

/** A name without a folder matches in every folder. */
function toAnywhereGlob(glob: string): string {
  const plain = glob.replace(/^(?:\.\/)+/, "");
  return plain.includes("/") ? plain : `**/${plain}`;
}

/** Excludes globs that match all sources or everything: there, names decide. */
export function isSpecificGlob(glob: string): boolean {
  const name = glob.split("/").at(-1) ?? "";
  const isAny = /^\*+(?:\.[\w{},]+)?$/.test(name);
  return !(isAny && (OWN.test(glob) || glob.startsWith("**/"))) && !/[$!]/.test(glob);
}
