export type CheckTool = { readonly tool: string; readonly kind: "test" | "lint" | "types" | "build" };
type CheckKind = CheckTool["kind"];

/** Finds the check that these words start, if any: `npx vitest run` and `CI=1 vitest` are both vitest. */
export function findCheckTool(words: readonly string[]): CheckTool | undefined {
  const at = words.findIndex((word) => !isWrapping(word));
  const found = findDirectTool(words.slice(at));
  if (found || at < 1) return found;
  // `c8 --reporter text ava`: options of the wrapper come before the program.
  const inner = words
    .slice(at)
    .map(getProgramName)
    .find((name) => PROGRAMS.has(name));
  return inner === undefined ? undefined : findDirectTool([inner]);
}

function findDirectTool([first = "", ...rest]: readonly string[]): CheckTool | undefined {
  const program = getProgramName(first);
  const kind = PROGRAMS.get(program);
  if (kind) return { tool: program, kind };
  if (program === "node" || program === "tsx") {
    return rest.includes("--test") ? { tool: "node --test", kind: "test" } : undefined;
  }
  if (INTERPRETERS.has(program)) return findInterpretedTool(rest);
  return RUNNERS.has(program) ? toCheckTool(program, rest) : undefined;
}

const list = (kind: CheckKind, names: string) => names.split(" ").map((name) => [name, kind] as const);

const PROGRAMS: ReadonlyMap<string, CheckKind> = new Map([
  ...list("test", "vitest jest mocha ava tap jasmine karma cypress playwright uvu wtr web-test-runner react-scripts"),
  ...list(
    "test",
    "pytest py.test tox nox unittest nose2 behave rspec phpunit pest ctest bats gotestsum cucumber-js tsd",
  ),
  ...list("lint", "eslint biome prettier oxlint stylelint tslint xo standard knip ruff flake8 pylint black isort"),
  ...list("lint", "rubocop golangci-lint staticcheck shellcheck"),
  ...list("types", "tsc vue-tsc mypy pyright pyre"),
  ...list("build", "webpack rollup esbuild tsup"),
]);

/** Returns the kind of check of a program; undefined for other programs. */
export function getProgramKind(program: string): CheckKind | undefined {
  return PROGRAMS.get(program);
}

/** Words that only start the program after them. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "npx bunx cross-env env time exec nyc c8 dotenv -- dlx poetry uv pipenv hatch pdm run bundle sudo command -y --yes xvfb-run run:".split(
    " ",
  ),
);

function isWrapping(word: string): boolean {
  return WRAPPERS.has(word) || /^[A-Za-z_]\w*=/.test(word);
}

/** `./node_modules/.bin/jest` is jest, and a Makefile's `$(GO)` is go. */
function getProgramName(word: string): string {
  const variable = /^[@+-]*\$[({]([A-Za-z_]+)[)}]$/.exec(word)?.[1];
  if (variable) return variable.toLowerCase();
  return (
    word
      .replace(/^[@+-]+/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

const INTERPRETERS: ReadonlySet<string> = new Set(["python", "python3", "py", "coverage", "ruby", "php"]);

function findInterpretedTool(words: readonly string[]): CheckTool | undefined {
  const module = words.indexOf("-m");
  if (module >= 0) return findCheckTool(words.slice(module + 1));
  const script = words.find((word) => !word.startsWith("-") && word !== "run");
  return script === undefined ? undefined : findCheckTool([script]);
}

/** Programs whose first argument selects what they do. */
const RUNNERS: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun make gmake just rake go cargo mvn mvnw gradle gradlew dotnet deno swift mix sbt turbo nx lerna next vite".split(
    " ",
  ),
);

const PARTS: readonly (readonly [CheckKind, RegExp])[] = [
  ["types", /^(?:type|tsc|check-types|types)/],
  ["lint", /^(?:lint|format|fmt|vet|clippy|prettier|style)/],
  ["build", /^(?:build|compile|assemble|bundle)/],
  ["test", /test|^(?:t$|check|verify|spec|e2e|unit|integration|coverage|nextest|ci[:_.-]|package$)/],
];

function toCheckTool(program: string, words: readonly string[]): CheckTool | undefined {
  const plain = words.filter((word) => !word.startsWith("-") && !SUBCOMMANDS.has(word));
  const [name = ""] = plain;
  // `yarn vitest` starts vitest.
  const inner = PROGRAMS.get(name);
  if (inner) return { tool: name, kind: inner };
  const kind = PARTS.find(([, pattern]) => pattern.test(name))?.[0];
  return kind && { tool: `${program} ${name}`, kind };
}

const SUBCOMMANDS: ReadonlySet<string> = new Set(["run", "run-script", "exec", "workspaces", "foreach", "run-many"]);
