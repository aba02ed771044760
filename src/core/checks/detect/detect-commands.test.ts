import { describe, expect, test } from "vitest";
import { detectCommands, detectIn, FILES_ASKED } from "./detect-commands.ts";

/** A project is its root: file → text. Only what was asked for is handed in. */
function detect(project: Readonly<Record<string, string>>) {
  const asked = Object.entries(project).filter(([name]) => FILES_ASKED.includes(name));
  return detectCommands(new Map(asked), Object.keys(project));
}
const runs = (project: Readonly<Record<string, string>>) =>
  detect(project).commands.map(({ name, run }) => `${name}: ${run}`);
const pack = (scripts: object, more: object = {}) => JSON.stringify({ name: "a", scripts, ...more });

test("an empty project has no command", () => {
  expect(detect({})).toEqual({ commands: [] });
  expect(detect({ "README.md": "run make test", "index.html": "" })).toEqual({ commands: [] });
});

describe("package.json", () => {
  test("gives the scripts that it has, in a fixed order", () => {
    const scripts = { test: "vitest run", lint: "biome check .", build: "tsc", typecheck: "tsc --noEmit", dev: "vite" };
    expect(detect({ "package.json": pack(scripts), "package-lock.json": "" })).toEqual({
      commands: [
        { name: "build", run: "npm run build", from: "package.json" },
        { name: "typecheck", run: "npm run typecheck", from: "package.json" },
        { name: "lint", run: "npm run lint", from: "package.json" },
        { name: "test", run: "npm run test", from: "package.json" },
      ],
      setup: { run: "npm ci", lockFile: "package-lock.json", from: "package.json" },
    });
  });

  test("a placeholder, a no-op and a watcher are no checks", () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1', build: "true", lint: "eslint --watch ." };
    expect(runs({ "package.json": pack(scripts) })).toEqual([]);
    expect(runs({ "package.json": pack({ test: "jest --watch=false", build: "" }) })).toEqual(["test: npm run test"]);
  });

  test("another usual name of a script serves too", () => {
    expect(runs({ "package.json": pack({ "type-check": "tsc" }) })).toEqual(["typecheck: npm run type-check"]);
  });

  test.each<[string, object, readonly string[], string, string | undefined]>([
    ["no lock file", {}, [], "npm run test", undefined],
    ["pnpm's lock file", {}, ["pnpm-lock.yaml"], "pnpm run test", "pnpm install --frozen-lockfile"],
    ["yarn's lock file", {}, ["yarn.lock"], "yarn run test", "yarn install --frozen-lockfile"],
    ["a modern yarn", {}, ["yarn.lock", ".yarnrc.yml"], "yarn run test", "yarn install --immutable"],
    [
      "a named modern yarn",
      { packageManager: "yarn@4.1.0" },
      ["yarn.lock"],
      "yarn run test",
      "yarn install --immutable",
    ],
    [
      "a named old yarn",
      { packageManager: "yarn@1.22.0" },
      ["yarn.lock"],
      "yarn run test",
      "yarn install --frozen-lockfile",
    ],
    ["an old npm lock file", {}, ["npm-shrinkwrap.json"], "npm run test", "npm ci"],
    ["two lock files", {}, ["package-lock.json", "pnpm-lock.yaml"], "pnpm run test", "pnpm install --frozen-lockfile"],
    [
      "the named one of two",
      { packageManager: "npm@10" },
      ["package-lock.json", "pnpm-lock.yaml"],
      "npm run test",
      "npm ci",
    ],
    [
      "a named one without its lock file",
      { packageManager: "pnpm@9" },
      ["package-lock.json"],
      "pnpm run test",
      undefined,
    ],
  ])("the package manager by %s", (_name, more, locks, run, setup) => {
    const root = {
      "package.json": pack({ test: "jest" }, more),
      ...Object.fromEntries(locks.map((lock) => [lock, ""])),
    };
    const found = detect(root);
    expect(found.commands.map((command) => command.run)).toEqual([run]);
    expect(found.setup?.run).toBe(setup);
  });

  test("without a lock file packages are installed all the same", () => {
    const more = { devDependencies: { ava: "*" } };
    expect(detect({ "package.json": pack({ test: "ava" }, more) }).setup).toEqual({
      run: "npm install --no-audit --no-fund",
      lockFile: "package.json",
      from: "package.json",
    });
  });

  test("packages of a workspace are kept for no other checkout", () => {
    const workspaces = { workspaces: ["packages/*"] };
    const root = { "package.json": pack({ test: "x" }, workspaces), "package-lock.json": "" };
    expect(detect(root).setup).toEqual({ run: "npm ci", from: "package.json" });
  });

  test.each([
    ["pnpm@10.28.0+sha512.ab", "pnpm-lock.yaml", "pnpm@10.28.0", "pnpm install --frozen-lockfile"],
    [undefined, "pnpm-lock.yaml", "pnpm@10", "pnpm install --frozen-lockfile"],
    [undefined, "yarn.lock", "yarn@1", "yarn install --frozen-lockfile"],
    ["yarn@4.1.0", "yarn.lock", "@yarnpkg/cli-dist@4.1.0", "yarn install --immutable"],
  ])("a manager that is not installed is fetched into the checkout: %s", (packageManager, lock, wanted, installs) => {
    const files = new Map([["package.json", pack({ test: "x" }, { packageManager })]]);
    const names = new Set(["package.json", lock]);
    const found = detectIn({ files, names, missing: new Set(["pnpm", "yarn"]) });
    const path = "PATH=$PWD/.tools/node_modules/.bin:$PATH";
    const fetch = `npm install --prefix .tools --no-save --no-audit --no-fund ${wanted}`;
    expect(found.setup?.run).toBe(`${fetch} && ${path} ${installs}`);
    expect(found.commands[0]?.run).toBe(`${path} ${installs.split(" ")[0]} run test`);
  });

  test("a package manager that is not known gives nothing", () => {
    expect(runs({ "package.json": pack({ test: "bun test" }), "bun.lock": "" })).toEqual([]);
    expect(runs({ "package.json": pack({ test: "bun test" }, { packageManager: "bun@1.1" }) })).toEqual([]);
  });

  test("a broken or strange file gives nothing", () => {
    expect(runs({ "package.json": "{" })).toEqual([]);
    expect(runs({ "package.json": "[]" })).toEqual([]);
    expect(runs({ "package.json": '{"scripts": {"test": 1}}' })).toEqual([]);
    expect(runs({ "package.json": '{"scripts": [], "packageManager": 1}' })).toEqual([]);
  });
});

describe("Python", () => {
  test.each([
    ["pytest.ini", ""],
    ["pyproject.toml", "[tool.pytest.ini_options]\n"],
    ["tox.ini", "[tox]\n[pytest]\n"],
    ["setup.cfg", "[tool:pytest]\n"],
    ["conftest.py", ""],
  ])("%s with %j means pytest", (name, text) => {
    expect(detect({ [name]: text })).toEqual({ commands: [{ name: "test", run: "python3 -m pytest", from: name }] });
  });

  test("requirements that bring pytest prepare an environment of their own", () => {
    expect(detect({ "requirements.txt": "flask\n", "requirements-dev.txt": "pytest==8.0\n" })).toEqual({
      commands: [{ name: "test", run: ".venv/bin/python -m pytest", from: "requirements-dev.txt" }],
      setup: {
        run: "python3 -I -m venv .venv && .venv/bin/python -I -m pip install -r requirements.txt -r requirements-dev.txt",
        lockFile: "requirements-dev.txt",
        from: "requirements-dev.txt",
      },
    });
    expect(detect({ "requirements.txt": "pytest\n" }).setup?.run).toMatch(/install -r requirements\.txt$/);
    expect(detect({ "test-requirements.txt": "pytest\n" }).setup?.run).toMatch(/install -r test-requirements\.txt$/);
  });

  test.each([
    ["a dependency", '[project]\ndependencies = [\n  "pytest>=8",\n]\n', "-e . pytest"],
    [
      "an extra",
      '[project]\n[project.optional-dependencies]\ntest = ["pytest"]\ndev = ["black"]\n',
      "-e '.[test]' pytest",
    ],
    [
      "a group",
      '[project]\n[dependency-groups]\ndev = ["ruff"]\ntests = [\n  "freezegun",\n  "pytest>=8 ; python_version >= \'3.9\'", # why\n  {include-group = "more"},\n]\nmore = ["x"]\n',
      `-e . freezegun 'pytest>=8 ; python_version >= "3.9"' x`,
    ],
    [
      "poetry",
      '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\nfoo = { version = "1" }\n',
      "-e . pytest foo",
    ],
  ])("a project that pip can install is installed in place, with what tests need: %s", (_name, text, wanted) => {
    expect(detect({ "pyproject.toml": text })).toEqual({
      commands: [{ name: "test", run: ".venv/bin/python -m pytest", from: "pyproject.toml" }],
      // No lock file: it knows the checkout that it was installed from.
      setup: {
        run: `python3 -I -m venv .venv && .venv/bin/python -I -m pip install ${wanted}`,
        from: "pyproject.toml",
      },
    });
  });

  test("what is installed in place by requirements is kept for no other checkout", () => {
    expect(detect({ "requirements.txt": "-e .\npytest\n" }).setup).not.toHaveProperty("lockFile");
  });

  test("unittest where the project speaks of it, and pytest where a package has tests and says nothing", () => {
    expect(runs({ "setup.py": "setup(test_suite='tests')", tests: "" })).toEqual([
      "test: .venv/bin/python -m unittest discover -s tests",
    ]);
    expect(runs({ "setup.cfg": "run = python -m unittest\n" })).toEqual(["test: python3 -m unittest"]);
    expect(runs({ "setup.py": "setup()", tests: "" })).toEqual(["test: .venv/bin/python -m pytest"]);
  });

  test("without pytest and without tests nothing is guessed, and tox stands for itself", () => {
    expect(runs({ "pyproject.toml": "[project]\n", "requirements.txt": "pytest-cov\n", "setup.cfg": "" })).toEqual([]);
    expect(runs({ "tox.ini": "[testenv]\n", "setup.py": "", tests: "" })).toEqual(["test: tox"]);
    expect(runs({ "tox.ini": "[testenv]\ncommands = nose2\n" })).toEqual(["test: tox"]);
    expect(runs({ "tox.ini": "[flake8]\n" })).toEqual([]);
  });
});

test("Go and Cargo build and test, and fetch what they locked", () => {
  expect(runs({ "go.mod": "" })).toEqual(["build: go build ./...", "test: go test ./..."]);
  expect(detect({ "go.mod": "", "go.sum": "" }).setup).toEqual({
    run: "go mod download",
    from: "go.mod",
  });
  expect(runs({ "Cargo.toml": "" })).toEqual(["build: cargo build", "test: cargo test"]);
  expect(detect({ "Cargo.toml": "", "Cargo.lock": "" }).setup?.run).toBe("cargo fetch --locked");
  expect(detect({ "Cargo.toml": "" }).setup).toBeUndefined();
});

test("make gives its targets, but none that a language already gave", () => {
  const makefile = "test: build\n\tgo test\nlint:\n\tx\nbuild:\n\ty\ninstall:\n\tz\n";
  expect(runs({ Makefile: makefile })).toEqual(["build: make build", "lint: make lint", "test: make test"]);
  expect(runs({ Makefile: makefile, "go.mod": "" })).toEqual([
    "build: go build ./...",
    "test: go test ./...",
    "lint: make lint",
  ]);
  expect(detect({ makefile: "check:\n\tx\n", Makefile: "test:\n\tx\n" }).commands).toEqual([
    { name: "check", run: "make check", from: "makefile" },
  ]);
});

test("the same check of a further language carries its name, and the first lock file prepares", () => {
  const found = detect({
    "package.json": pack({ test: "jest" }),
    "package-lock.json": "",
    "pytest.ini": "",
    "Cargo.toml": "",
    "Cargo.lock": "",
  });
  expect(found.commands.map((command) => command.name)).toEqual(["test", "test-python", "build", "test-cargo"]);
  expect(found.setup?.lockFile).toBe("package-lock.json");
});
