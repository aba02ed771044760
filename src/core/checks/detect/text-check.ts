import { getProgramKind } from "../tamper/check-tool.ts";
import { splitSegments } from "../tamper/shell-line.ts";
import { isTestCommand } from "./test-command.ts";

type Scripts = Readonly<Record<string, unknown>>;

/**
 * Returns whether this line runs only linters, formatters and type checkers, which judge text and not behaviour.
 * Programs decide, not names: `npm run lint` is its script, if that is known, and `make lint` may be anything.
 */
export function isTextCheck(command: { readonly name: string; readonly run: string }, scripts: Scripts = {}): boolean {
  return !isTestCommand(command) && isReadOnlyLine(command.run, { scripts, depth: 0 });
}

/**
 * Returns whether this line may run a linter, a formatter or a type checker, alone or among other programs. Unknown
 * recipes and programs may.
 */
export function mayCheckText(command: { readonly run: string }, scripts: Scripts = {}): boolean {
  return mayRead(command.run, { scripts, depth: 0 });
}

function mayRead(line: string, known: ScriptContext): boolean {
  if (SUBSTITUTES.test(line) || known.depth > MOST_STEPS) return true;
  const here = /(?:^|[\s;&|])cd\s/.test(line) ? { ...known, scripts: {} } : known;
  const parts = splitSegments(line).filter(({ words: [first] }) => first !== "cd");
  return parts.some(({ words }) => mayBeReader(unwrapRunner(words), here));
}

function mayBeReader(words: readonly string[], known: ScriptContext): boolean {
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
  const isOther = isTestCommand({ name: "", run: words.join(" ") }) || getProgramKind(program) === "build";
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
/** Programs that do not judge sources. */
const PLAIN: ReadonlySet<string> = new Set(
  "echo true false test cp mv rm mkdir cat sed grep exit export set".split(" "),
);

type ScriptContext = { readonly scripts: Scripts; readonly depth: number };
/** Limit of calls from script to script. */
const MOST_STEPS = 10;
/** Runs a command to produce words. */
const SUBSTITUTES = /`|\$\(|[<>]\(/;

function isReadOnlyLine(line: string, known: ScriptContext): boolean {
  if (SUBSTITUTES.test(line) || known.depth > MOST_STEPS) return false;
  const parts = splitSegments(line).filter(({ words: [first] }) => first !== "cd");
  // In another folder a package manager reads another manifest.
  const here = /(?:^|[\s;&|])cd\s/.test(line) ? { ...known, scripts: {} } : known;
  return parts.length > 0 && parts.every(({ words }) => isReader(unwrapRunner(words), here));
}

function isReader(words: readonly string[], known: ScriptContext): boolean {
  const [first = "", second = ""] = words;
  if (MANAGERS.has(first)) return isReaderScript(words, known);
  if (first.includes("/") && !INSTALLED.test(first)) return false;
  const program = first.split("/").at(-1) ?? "";
  // If that option is absent, it writes files that others may run.
  if (program === "tsc" || program === "vue-tsc") return words.some((word) => /^--noEmit$/i.test(word));
  const kind = getProgramKind(program);
  return kind === "lint" || kind === "types" || READERS.has(program) || READERS.has(`${program} ${second}`);
}

/** Includes pre and post scripts. Options may select other packages, except those that only reduce output. */
function isReaderScript([manager = "", ...rest]: readonly string[], { scripts, depth }: ScriptContext): boolean {
  const words = rest.filter((word) => !/^(?:-s|--silent|run|run-script)$/.test(word));
  const [name = "", ...more] = words;
  const end = more.indexOf("--");
  if ((end < 0 ? more : more.slice(0, end)).some((word) => word.startsWith("-")) && Object.hasOwn(scripts, name)) {
    return false;
  }
  if (!Object.hasOwn(scripts, name)) {
    // `yarn eslint` starts the program if no script has that name. Without a manifest that is unknown.
    return manager !== "npm" && Object.keys(scripts).length > 0 && isReader(words, { scripts: {}, depth });
  }
  const lines = [`pre${name}`, name, `post${name}`].filter((each) => Object.hasOwn(scripts, each));
  return lines.every((each) => isReadOnlyLine(String(scripts[each]), { scripts, depth: depth + 1 }));
}

/** Removes the words that only start the program. */
function unwrapRunner(words: readonly string[]): readonly string[] {
  const [first = "", second = "", ...rest] = words;
  if (words.length === 0) return [];
  if (WRAPPERS.has(`${first} ${second}`)) return unwrapRunner(rest);
  const isSetting = /^[A-Za-z_]\w*=[\w.,-]*$/.test(first) && !/(?:PATH|OPTIONS)=/.test(first);
  return isSetting || WRAPPERS.has(first) ? unwrapRunner(words.slice(1)) : words;
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
