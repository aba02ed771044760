import { programKind } from "../tamper/check-tool.ts";
import { segmentsOf } from "../tamper/shell-line.ts";
import { isTestCommand } from "./test-command.ts";

type Scripts = Readonly<Record<string, unknown>>;

/**
 * Is this line nothing but linters, formatters and type checkers? What they say is about text, not behaviour. Programs
 * count, not names: `npm run lint` is what the script behind it is, where that is known, and `make lint` may be anything.
 */
export function judgesText(command: { readonly name: string; readonly run: string }, scripts: Scripts = {}): boolean {
  return !isTestCommand(command) && readsOnly(command.run, { scripts, depth: 0 });
}

/**
 * May this line run a linter, a formatter or a type checker, alone or beside other programs? A recipe or a program that
 * is not known may.
 */
export function mayCheckText(command: { readonly run: string }, scripts: Scripts = {}): boolean {
  return mayRead(command.run, { scripts, depth: 0 });
}

function mayRead(line: string, known: Known): boolean {
  if (SUBSTITUTES.test(line) || known.depth > MOST_STEPS) return true;
  const here = /(?:^|[\s;&|])cd\s/.test(line) ? { ...known, scripts: {} } : known;
  const parts = segmentsOf(line).filter(({ words: [first] }) => first !== "cd");
  return parts.some(({ words }) => mayBeReader(unwrapped(words), here));
}

function mayBeReader(words: readonly string[], known: Known): boolean {
  const [first = ""] = words;
  if (isReader(words, known)) return true;
  if (MANAGERS.has(first)) {
    const { scripts, depth } = known;
    const name = words.slice(1).find((word) => !/^(?:-.*|run|run-script)$/.test(word)) ?? "";
    const lines = [`pre${name}`, name, `post${name}`].filter((each) => Object.hasOwn(scripts, each));
    if (!Object.hasOwn(scripts, name)) return !isTestCommand({ name: "", run: words.join(" ") });
    return lines.some((each) => mayRead(String(scripts[each]), { scripts, depth: depth + 1 }));
  }
  const program = first.split("/").at(-1) ?? "";
  if (RECIPES.has(program)) return true;
  const isOther = isTestCommand({ name: "", run: words.join(" ") }) || programKind(program) === "build";
  return !isOther && !PLAIN.has(program);
}

const RECIPES: ReadonlySet<string> = new Set([
  "make",
  "gmake",
  "just",
  "rake",
  "task",
  "tox",
  "nox",
  "turbo",
  "nx",
  "next",
]);
/** Does not look at sources to judge them. */
const PLAIN: ReadonlySet<string> = new Set(
  "echo true false test cp mv rm mkdir cat sed grep exit export set".split(" "),
);

type Known = { readonly scripts: Scripts; readonly depth: number };
/** From a script to one that it calls. */
const MOST_STEPS = 10;
/** Runs something to make words of it. */
const SUBSTITUTES = /`|\$\(|[<>]\(/;

function readsOnly(line: string, known: Known): boolean {
  if (SUBSTITUTES.test(line) || known.depth > MOST_STEPS) return false;
  const parts = segmentsOf(line).filter(({ words: [first] }) => first !== "cd");
  // In another folder a manager finds another manifest.
  const here = /(?:^|[\s;&|])cd\s/.test(line) ? { ...known, scripts: {} } : known;
  return parts.length > 0 && parts.every(({ words }) => isReader(unwrapped(words), here));
}

function isReader(words: readonly string[], known: Known): boolean {
  const [first = "", second = ""] = words;
  if (MANAGERS.has(first)) return isReaderScript(words, known);
  if (first.includes("/") && !INSTALLED.test(first)) return false;
  const program = first.split("/").at(-1) ?? "";
  // Without that option it writes what others may run.
  if (program === "tsc" || program === "vue-tsc") return words.some((word) => /^--noEmit$/i.test(word));
  const kind = programKind(program);
  return kind === "lint" || kind === "types" || READERS.has(program) || READERS.has(`${program} ${second}`);
}

/** With what runs before and after it. Options may lead to other packages, but for those that only keep quiet. */
function isReaderScript([manager = "", ...rest]: readonly string[], { scripts, depth }: Known): boolean {
  const words = rest.filter((word) => !/^(?:-s|--silent|run|run-script)$/.test(word));
  const [name = "", ...more] = words;
  const end = more.indexOf("--");
  if ((end < 0 ? more : more.slice(0, end)).some((word) => word.startsWith("-")) && Object.hasOwn(scripts, name)) {
    return false;
  }
  if (!Object.hasOwn(scripts, name)) {
    // `yarn eslint` starts the program, where there is no such script. Of none is known without a manifest.
    return manager !== "npm" && Object.keys(scripts).length > 0 && isReader(words, { scripts: {}, depth });
  }
  const lines = [`pre${name}`, name, `post${name}`].filter((each) => Object.hasOwn(scripts, each));
  return lines.every((each) => readsOnly(String(scripts[each]), { scripts, depth: depth + 1 }));
}

/** Without what only leads to the program. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [first = "", second = "", ...rest] = words;
  if (words.length === 0) return [];
  if (WRAPPERS.has(`${first} ${second}`)) return unwrapped(rest);
  const isSetting = /^[A-Za-z_]\w*=[\w.,-]*$/.test(first) && !/(?:PATH|OPTIONS)=/.test(first);
  return isSetting || WRAPPERS.has(first) ? unwrapped(words.slice(1)) : words;
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const INSTALLED = /^(?:.*\/)?(?:node_modules\/\.bin|\.?venv\/bin)\/[\w.-]+$/;
const WRAPPERS: ReadonlySet<string> = new Set([
  ...["npx", "bunx", "uvx", "time", "command", "env", "cross-env", "--", "-y", "--yes", "--no-install"],
  ...["npm exec", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "bundle exec"],
  ...["poetry run", "uv run", "pipenv run", "pdm run", "python -m", "python3 -m"],
]);
const READERS: ReadonlySet<string> = new Set([
  ...["gofmt", "gofumpt", "clang-format", "clang-tidy", "cppcheck", "yamllint", "markdownlint", "actionlint"],
  ...["go vet", "cargo clippy", "cargo fmt", "deno lint", "deno fmt", "dart analyze", "dart format"],
]);
