import { pathKind } from "./exam-path.ts";
import type { Words } from "./leading.ts";
import type { Use } from "./uses/use.ts";

/** Paths at which a file would be run or loaded by the line, as seen from the folder in which the line is run. */
export function programsIn(line: string): readonly string[] {
  const said = line.split(COMMANDS).flatMap((command) => saidIn(wordsOf(command)));
  return [...new Set(said.flatMap(placesOf))].filter((path) => path !== "" && !path.startsWith("../"));
}

/** Names of scripts that a line may start. Every word behind the program counts: options may stand before the name. */
export function scriptsIn(line: string): readonly string[] {
  const plain = [...line.matchAll(RUNS)].flatMap(([, words = ""]) => words.split(/[\s"']+/));
  const several = [...line.matchAll(RUNS_SEVERAL)].flatMap(([, words = ""]) => words.split(/[\s"']+/));
  return [...plain.filter((word) => /^[\w:.-]+$/.test(word)), ...several.filter((word) => /^[\w:.*-]+$/.test(word))];
}

const COMMANDS = /&&|\|\||[;|&\n()`]/;
const RUNS = /\b(?:npm|pnpm|yarn|bun|deno|node --run)\b((?:\s+[^\s;&|]+)+)/g;
const RUNS_SEVERAL = /\b(?:run-[sp]|npm-run-all2?|concurrently|wireit)\b((?:\s+[^\s;&|]+)+)/g;

function wordsOf(command: string): readonly string[] {
  // `--import=./x.js`, `NODE_OPTIONS="--import ./x.js"`; a recipe's line may begin with signs of make's own.
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
/** Reads the file without running it. */
const ONLY_READS = /^(?:--check|-c|-n|-e|--eval|-p|--print)$/;

function saidIn(words: readonly string[]): readonly string[] {
  const runner = words.findIndex((word) => RUNNER.test(word));
  return words.flatMap((word, at) => {
    const loaded = LOADERS.test(words[at - 1] ?? "") || SHELL.test(word) || (runner >= 0 && at > runner);
    const first = at === 0 && word.includes("/");
    if (loaded || first) return [word];
    if (!INTERPRETER.test(word)) return [];
    return programOf(words.slice(at + 1));
  });
}

/** The first word that is no option; options with a value of their own are taken for such without one. */
function programOf(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-") && word !== "run");
  const [program, before] = [words[at], words.slice(0, Math.max(at, 0))];
  if (program === undefined || before.some((word) => ONLY_READS.test(word))) return [];
  return before.at(-1) === "-m" ? modulePlaces(program.replaceAll(".", "/")) : [program];
}

/** A package that is run by its name is loaded first. */
function modulePlaces(module: string): readonly string[] {
  return [`${module}.py`, `${module}/__main__.py`, `${module}/__init__.py`];
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".sh", "/index.js", "/index.ts"];

function placesOf(said: string): readonly string[] {
  if (said.startsWith("-") || said.startsWith("/") || /[$*{}]/.test(said)) return [];
  const plain = said.replace(/^(?:\.\/)+/, "").replace(/::.*$/, "");
  return /\.\w+$/.test(plain) ? [plain] : ENDINGS.map((ending) => `${plain}${ending}`);
}

/** What the commands of a project start. */
export type Starts = {
  /** The configured lines, and those that they lead to. */
  readonly lines: readonly string[];
  /** Paths of what they run or load, whether there is such a file or not. */
  readonly programs: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
  /** Those of the programs that start tests, what they import or name, and what that does. */
  readonly led: ReadonlySet<string>;
  /** What may be a path in all texts that lead to tests. */
  readonly words: Words;
  /** What a program that they may run imports out of its own folder, and that folder. */
  readonly beside: ReadonlyMap<string, string>;
  /** Globs of tests that are known by where they lie. */
  readonly places: readonly string[];
};

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|go|rs|java|kt|scala|groovy|cs|swift|[cmh]|cc|cpp|cxx|hpp|exs?|lua|dart)$/;

/** A line that only starts the file says nothing about what it is; who imports it does. */
export function isImport(
  { from, to, by, text }: Use,
  { programs, scripts }: Pick<Starts, "programs" | "scripts">,
): boolean {
  if (!programs.has(to) || by === "exam" || SOURCE.test(from)) return true;
  if (pathKind(from) !== "mixed") return false;
  const named = [...text.matchAll(/"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].filter(([, , value = ""]) =>
    programsIn(value)
      .concat(value)
      .some((said) => to.endsWith(said.replace(/^\.\//, ""))),
  );
  return named.length === 0 || named.some(([, key = ""]) => !scripts.has(key));
}

/** Where a project's own sources lie: a program there is as likely the product as it is how tests are started. */
export const OWN = /^(?:.*\/)?(?:src|lib|app|cmd|source|sources|internal)\//;

/**
 * Those of the files that are the exam because they are started. What code imports is code; of what tests import too,
 * or what lies among the sources, nobody can say.
 */
export function startedAmong(files: readonly string[], uses: readonly Use[], { programs, led }: Starts) {
  const started = files.filter((path) => programs.has(path) && pathKind(path) !== "exam");
  const usersOf = (path: string) => uses.filter(({ to }) => to === path);
  const free = started.filter((path) => usersOf(path).every(({ by }) => by !== "code"));
  const isImported = (path: string) => usersOf(path).some(({ from }) => SOURCE.test(from));
  const isDoubtful = (path: string) => pathKind(path) === "code" && (OWN.test(path) || isImported(path));
  const exam = free.filter((path) => !isDoubtful(path));
  const open = files.filter(
    (path) => (led.has(path) || programs.has(path)) && pathKind(path) !== "exam" && !OWN.test(path),
  );
  const starters = exam.filter((path) => led.has(path));
  return { exam: [...exam, ...carriedBy(starters, open, usersOf)], unsure: free.filter(isDoubtful) };
}

/** Does the program start tests, and is none itself? What a test imports may be the very thing that it tests. */
export function startsTests(text: string): boolean {
  return STARTS_OTHERS.test(text) && !ASSERTS.test(text);
}

const STARTS_OTHERS =
  /spawn|exec|fork|subprocess|os\.system|\$`|unittest|pytest|mocha|jest|vitest|jasmine|node:test|--test\b|\brun\(/i;
const ASSERTS = /\bassert|\bexpect\(|\b(?:test|it|describe)\(|\bTestCase\b/;

/** Those that nobody uses but programs which are the exam, and others of them. */
function carriedBy(
  programs: readonly string[],
  open: readonly string[],
  usersOf: (path: string) => readonly Use[],
): readonly string[] {
  const known = new Set(programs);
  const isCarried = (path: string) => {
    const users = usersOf(path);
    return users.length > 0 && users.every(({ from }) => known.has(from));
  };
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const path of open) if (isCarried(path)) known.add(path);
  }
  return [...known].filter((path) => !programs.includes(path));
}
