import { classifyPath } from "./exam-path.ts";
import type { PathWords } from "./leading-words.ts";
import type { FileUse } from "./uses/use.ts";

/** Lists the paths at which the line would run or load a file, relative to the folder in which it runs. */
export function listProgramPaths(line: string): readonly string[] {
  const said = line.split(COMMANDS).flatMap((command) => listNamedPaths(splitCommand(command)));
  return [...new Set(said.flatMap(listPathPlaces))].filter((path) => path !== "" && !path.startsWith("../"));
}

/**
 * Lists the names of scripts that a line may start. Every word after the program counts, because options may precede
 * the name.
 */
export function listScriptNames(line: string): readonly string[] {
  const plain = [...line.matchAll(RUNS)].flatMap(([, words = ""]) => words.split(/[\s"']+/));
  const several = [...line.matchAll(RUNS_SEVERAL)].flatMap(([, words = ""]) => words.split(/[\s"']+/));
  return [...plain.filter((word) => /^[\w:.-]+$/.test(word)), ...several.filter((word) => /^[\w:.*-]+$/.test(word))];
}

const COMMANDS = /&&|\|\||[;|&\n()`]/;
const RUNS = /\b(?:npm|pnpm|yarn|bun|deno|node --run)\b((?:\s+[^\s;&|]+)+)/g;
const RUNS_SEVERAL = /\b(?:run-[sp]|npm-run-all2?|concurrently|wireit)\b((?:\s+[^\s;&|]+)+)/g;

function splitCommand(command: string): readonly string[] {
  // `--import=./x.js`, `NODE_OPTIONS="--import ./x.js"`; a recipe line may start with make's own prefixes.
  return command
    .replaceAll(/["'=<>]/g, " ")
    .replace(/^\s*[@+-]+/, "")
    .split(/\s+/)
    .filter((word) => word !== "");
}

const INTERPRETER =
  /^(?:\S*\/)?(?:node|nodejs|bun|deno|tsx|ts-node|sh|bash|dash|zsh|ash|ksh|source|\.|python[\d.]*|pypy\d?|ruby|perl|php|lua|pwsh|Rscript)$/;
const RUNNER = /^(?:\S*\/)?(?:pytest|py\.test|mocha|jest|vitest|ava|tap|uvu|bats|phpunit|rspec|--test)$/;
const LOADERS = /^(?:--import|--require|-r|--loader|--experimental-loader|--preload|--env-file(?:-if-exists)?)$/;
const SHELL = /\.(?:sh|bash|bats|ps1)$/;
/** Options that read the file without running it. */
const ONLY_READS = /^(?:--check|-c|-n|-e|--eval|-p|--print)$/;

function listNamedPaths(words: readonly string[]): readonly string[] {
  const runner = words.findIndex((word) => RUNNER.test(word));
  return words.flatMap((word, at) => {
    const loaded = LOADERS.test(words[at - 1] ?? "") || SHELL.test(word) || (runner >= 0 && at > runner);
    const first = at === 0 && word.includes("/");
    if (loaded || first) return [word];
    if (!INTERPRETER.test(word)) return [];
    return findProgram(words.slice(at + 1));
  });
}

/** The first word that is not an option. Options with a value are treated like options without one. */
function findProgram(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-") && word !== "run");
  const [program, before] = [words[at], words.slice(0, Math.max(at, 0))];
  if (program === undefined || before.some((word) => ONLY_READS.test(word))) return [];
  return before.at(-1) === "-m" ? listModulePaths(program.replaceAll(".", "/")) : [program];
}

/** A package that is run by name is loaded first. */
function listModulePaths(module: string): readonly string[] {
  return [`${module}.py`, `${module}/__main__.py`, `${module}/__init__.py`];
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".sh", "/index.js", "/index.ts"];

function listPathPlaces(said: string): readonly string[] {
  if (said.startsWith("-") || said.startsWith("/") || /[$*{}]/.test(said)) return [];
  const plain = said.replace(/^(?:\.\/)+/, "").replace(/::.*$/, "");
  return /\.\w+$/.test(plain) ? [plain] : ENDINGS.map((ending) => `${plain}${ending}`);
}

/** Programs that the project's commands start. */
export type StartedPrograms = {
  /** Configured lines, and those that they lead to. */
  readonly lines: readonly string[];
  /** Paths that they run or load, whether the file exists or not. */
  readonly programs: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
  /** Programs that start tests, the files that they import or name, and so on. */
  readonly led: ReadonlySet<string>;
  /** Possible paths in all texts that lead to tests. */
  readonly words: PathWords;
  /** Files that a possibly started program imports from its own folder, and that folder. */
  readonly beside: ReadonlyMap<string, string>;
  /** Globs of tests that are recognized by location. */
  readonly places: readonly string[];
};

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kt|scala|groovy|cs|swift|[cmh]|cc|cpp|cxx|hpp|exs?|lua|dart)$/;

/** A line that only starts the file does not classify it; its importers do. */
export function isImport(
  { from, to, by, text }: FileUse,
  { programs, scripts }: Pick<StartedPrograms, "programs" | "scripts">,
): boolean {
  if (!programs.has(to) || by === "exam" || SOURCE.test(from)) return true;
  if (classifyPath(from) !== "mixed") return false;
  const named = [...text.matchAll(/"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].filter(([, , value = ""]) =>
    listProgramPaths(value)
      .concat(value)
      .some((said) => to.endsWith(said.replace(/^\.\//, ""))),
  );
  return named.length === 0 || named.some(([, key = ""]) => !scripts.has(key));
}

/** Folders of the project's own sources. A program there is as likely product code as a test starter. */
export const OWN = /^(?:.*\/)?(?:src|lib|app|cmd|source|sources|internal)\//;

/**
 * Selects the files that are exam because they are started. A file that code imports is code. A file that tests import
 * too, or that is among the sources, is undecided.
 */
export function selectStartedFiles(
  files: readonly string[],
  uses: readonly FileUse[],
  { programs, led }: StartedPrograms,
) {
  const started = files.filter((path) => programs.has(path) && classifyPath(path) !== "exam");
  const listUsers = (path: string) => uses.filter(({ to }) => to === path);
  const free = started.filter((path) => listUsers(path).every(({ by }) => by !== "code"));
  const isImported = (path: string) => listUsers(path).some(({ from }) => SOURCE.test(from));
  const isDoubtful = (path: string) => classifyPath(path) === "code" && (OWN.test(path) || isImported(path));
  const exam = free.filter((path) => !isDoubtful(path));
  const open = files.filter(
    (path) => (led.has(path) || programs.has(path)) && classifyPath(path) !== "exam" && !OWN.test(path),
  );
  const starters = exam.filter((path) => led.has(path));
  return { exam: [...exam, ...findCarriedFiles(starters, open, listUsers)], unsure: free.filter(isDoubtful) };
}

/**
 * Returns whether the program starts tests and is not a test itself. A file that a test imports may be the subject of
 * the test.
 */
export function isTestLauncher(text: string): boolean {
  return STARTS_OTHERS.test(text) && !ASSERTS.test(text);
}

const STARTS_OTHERS =
  /spawn|exec|fork|subprocess|os\.system|\$`|unittest|pytest|mocha|jest|vitest|jasmine|node:test|--test\b|\brun\(/i;
const ASSERTS = /\bassert|\bexpect\(|\b(?:test|it|describe)\(|\bTestCase\b/;

/** Finds files that only started exam programs, or other such files, use. */
function findCarriedFiles(
  programs: readonly string[],
  open: readonly string[],
  listUsers: (path: string) => readonly FileUse[],
): readonly string[] {
  const known = new Set(programs);
  const isCarried = (path: string) => {
    const users = listUsers(path);
    return users.length > 0 && users.every(({ from }) => known.has(from));
  };
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const path of open) if (isCarried(path)) known.add(path);
  }
  return [...known].filter((path) => !programs.includes(path));
}
