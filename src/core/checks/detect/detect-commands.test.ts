import { describe, expect, test } from "vitest";
import { detectProjectChecks, isAsked } from "./detect-commands.ts";

/** A project is its files: path → text. Only requested files are passed. */
function detect(project: Readonly<Record<string, string>>, missing: readonly string[] = []) {
  const paths = Object.keys(project);
  const files = new Map(Object.entries(project).filter(([path]) => isAsked(path)));
  const names = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  return detectProjectChecks({ files, names, paths, missing: new Set(missing) });
}
const runs = (project: Readonly<Record<string, string>>, missing: readonly string[] = []) =>
  detect(project, missing).commands.map(({ name, run }) => `${name}: ${run}`);
const pack = (scripts: object, more: object = {}) => JSON.stringify({ name: "a", scripts, ...more });

test("an empty project has no command", () => {
  expect(detect({})).toEqual({ commands: [] });
  expect(detect({ "README.md": "run make test", "index.html": "" })).toEqual({ commands: [] });
});

test("a shell script of tests is reported if nothing else is found, and never run", () => {
  const says = "test.sh (shell): it is not supported; configure its commands";
  expect(detect({ "test.sh": "" })).toEqual({ commands: [], unknown: [says] });
  expect(detect({ "test.sh": "", "package.json": pack({ test: "ava" }) }).unknown).toBeUndefined();
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
    ["bun's lock file", {}, ["bun.lock"], "bun run test", "bun install --frozen-lockfile"],
    ["bun's old lock file", {}, ["bun.lockb"], "bun run test", "bun install --frozen-lockfile"],
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

  test("packages are installed without a lock file too", () => {
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
    ["bun@1.2.3", "bun.lock", "bun@1.2.3", "bun install --frozen-lockfile"],
  ])("a manager that is not installed is fetched into the checkout: %s", (packageManager, lock, wanted, installs) => {
    const files = { "package.json": pack({ test: "x" }, { packageManager }), [lock]: "" };
    const found = detect(files, ["pnpm", "yarn", "bun"]);
    const path = "PATH=$PWD/.tools/node_modules/.bin:$PATH";
    const fetch = `npm install --prefix .tools --no-save --no-audit --no-fund ${wanted}`;
    expect(found.setup?.run).toBe(`${fetch} && ${path} ${installs}`);
    expect(found.commands[0]?.run).toBe(`${path} ${installs.split(" ")[0]} run test`);
  });

  test.each<[string, object, Readonly<Record<string, string>>, string]>([
    ["an old lock file", {}, { "pnpm-lock.yaml": "lockfileVersion: 5.4\n" }, "pnpm@7"],
    ["a lock file of the eighth", {}, { "pnpm-lock.yaml": "lockfileVersion: '6.0'\n" }, "pnpm@8"],
    ["a newer lock file", {}, { "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" }, "pnpm@10"],
    [
      "a setting of the newest",
      {},
      { "pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "pnpm-workspace.yaml": "allowBuilds:\n  esbuild: true\n" },
      "pnpm@11",
    ],
    ["devEngines", { devEngines: { packageManager: { name: "pnpm", version: "11.2.0" } } }, {}, "pnpm@11.2.0"],
    ["a range", { devEngines: { packageManager: [{ name: "pnpm", version: "^9.1.0" }] } }, {}, "pnpm@9"],
    [
      "a modern yarn that names no version",
      {},
      { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: x\n" },
      "@yarnpkg/cli-dist@4",
    ],
    ["a yarn in the repository", {}, { "yarn.lock": "", ".yarnrc.yml": "yarnPath: .yarn/x.cjs\n" }, "yarn@1"],
  ])("the version that is fetched fits the project: %s", (_name, more, files, wanted) => {
    const packages = { devDependencies: { a: "*" } };
    const root = { "package.json": pack({ test: "x" }, { ...packages, ...more }), ...files };
    expect(detect(root, ["pnpm", "yarn"]).setup?.run).toContain(` ${wanted} && `);
  });

  test("an unknown package manager gives no commands and is named", () => {
    expect(detect({ "package.json": pack({ test: "x" }, { packageManager: "vlt@1.1" }) })).toEqual({
      commands: [],
      unknown: ["package.json names the unknown package manager vlt"],
    });
  });

  test("a broken or strange file gives nothing", () => {
    expect(runs({ "package.json": "{" })).toEqual([]);
    expect(runs({ "package.json": "[]" })).toEqual([]);
    expect(runs({ "package.json": '{"scripts": {"test": 1}}' })).toEqual([]);
    expect(runs({ "package.json": '{"scripts": [], "packageManager": 1}' })).toEqual([]);
    expect(detect({ "package.json": "{" }).unknown).toEqual(["package.json cannot be read"]);
  });

  test("scripts are listed if none is a check", () => {
    expect(detect({ "package.json": pack({ dev: "vite", start: "node ." }) }).unknown).toEqual([
      "no script of package.json is a known check: dev, start",
    ]);
  });

  test("bun finds tests without a script", () => {
    expect(runs({ "package.json": pack({}), "bun.lock": "", "src/a.test.ts": "" })).toEqual(["test: bun test"]);
    expect(runs({ "package.json": pack({}), "bun.lock": "", "src/a.ts": "" })).toEqual([]);
  });
});

describe("a workspace without scripts of its own", () => {
  const members = {
    "packages/a/package.json": pack({ test: "jest", build: "tsc" }, { name: "@x/a" }),
    "packages/b/package.json": pack({ test: "jest" }, { name: "@x/b" }),
    "elsewhere/c/package.json": pack({ lint: "eslint" }, { name: "c" }),
  };
  const root = (more: object = {}) => JSON.stringify({ private: true, ...more });

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      "npm",
      { "package.json": root({ workspaces: ["packages/*"] }), "package-lock.json": "" },
      ["build: npm run build --workspaces --if-present", "test: npm run test --workspaces --if-present"],
    ],
    [
      "pnpm",
      {
        "package.json": root(),
        "pnpm-lock.yaml": "",
        "pnpm-workspace.yaml": "packages:\n  # ours\n  - 'packages/*'\n  - '!packages/old'\ncatalog:\n  - x\n",
      },
      ["build: pnpm -r --if-present run build", "test: pnpm -r --if-present run test"],
    ],
    [
      "an old yarn",
      { "package.json": root({ workspaces: { packages: ["packages/*"] } }), "yarn.lock": "" },
      ["build: yarn workspace @x/a run build", "test: yarn workspace @x/a run test && yarn workspace @x/b run test"],
    ],
    [
      "a modern yarn",
      { "package.json": root({ workspaces: ["packages/*"] }), "yarn.lock": "", ".yarnrc.yml": "" },
      ["build: yarn workspaces foreach -A run build", "test: yarn workspaces foreach -A run test"],
    ],
    [
      "bun",
      { "package.json": root({ workspaces: ["packages/*"] }), "bun.lock": "" },
      ["build: bun run --filter '*' build", "test: bun run --filter '*' test"],
    ],
  ])("starts those of its packages: %s", (_name, files, lines) => {
    expect(runs({ ...files, ...members })).toEqual(lines);
  });

  test("is left alone where the root has the script", () => {
    const files = { "package.json": pack({ test: "turbo test" }, { workspaces: ["packages/*"] }), ...members };
    expect(runs(files)).toEqual(["build: npm run build --workspaces --if-present", "test: npm run test"]);
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
    expect(detect({ "pyproject.toml": text }, ["poetry"])).toEqual({
      commands: [{ name: "test", run: ".venv/bin/python -m pytest", from: "pyproject.toml" }],
      // No lock file: it depends on the checkout in which it was installed.
      setup: {
        run: `python3 -I -m venv .venv && .venv/bin/python -I -m pip install ${wanted}`,
        from: "pyproject.toml",
      },
    });
  });

  test.each([
    ["uv.lock", "[project]\n[dependency-groups]\ndev = ['pytest']\n", "uv sync --locked"],
    ["uv.lock", "[project]\n[dependency-groups]\ntests = ['pytest']\n", "uv sync --locked --group tests"],
    ["uv.lock", "[project]\n[project.optional-dependencies]\ntest = ['pytest']\n", "uv sync --locked --extra test"],
    ["none", "[project]\n[tool.uv]\n[tool.pytest.ini_options]\n", "uv sync"],
    [
      "poetry.lock",
      "[tool.poetry]\n[tool.poetry.group.test.dependencies]\npytest = '^8'\n",
      "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction --with test",
    ],
    ["pdm.lock", "[project]\n[tool.pdm]\n[tool.pytest.ini_options]\n", "pdm install"],
  ])("its own manager makes the environment, where it is here: %s, %j", (lock, text, run) => {
    const found = detect({ "pyproject.toml": text, [lock]: "" });
    expect(found.setup?.run).toBe(run);
    expect(found.commands[0]?.run).toBe(".venv/bin/python -m pytest");
    expect(detect({ "pyproject.toml": text, [lock]: "" }, ["uv", "poetry", "pdm"]).setup?.run).toMatch(
      /-m pip install/,
    );
  });

  test("tox and nox make their environments before the tests, which have no network", () => {
    expect(detect({ "tox.ini": "[testenv]\n" }).setup?.run).toBe("tox --notest");
    expect(detect({ "tox.ini": "[testenv]\n" }, ["tox"])).toEqual({
      commands: [{ name: "test", run: ".venv/bin/python -m tox", from: "tox.ini" }],
      setup: {
        run: "python3 -I -m venv .venv && .venv/bin/python -I -m pip install tox && .venv/bin/python -m tox --notest",
        from: "tox.ini",
      },
    });
    const noxfile = "@nox.session\ndef lint(session):\n  pass\n@nox.session\ndef tests(session):\n  pass\n";
    expect(runs({ "noxfile.py": noxfile })).toEqual(["test: nox -R -s tests"]);
    expect(detect({ "noxfile.py": noxfile }).setup?.run).toBe("nox --install-only -s tests");
  });

  test("an in-place install from requirements is not reused for other checkouts", () => {
    expect(detect({ "requirements.txt": "-e .\npytest\n" }).setup).not.toHaveProperty("lockFile");
  });

  test("unittest is used if the project mentions it, and pytest for a package with tests and no hint", () => {
    expect(runs({ "setup.py": "setup(test_suite='tests')", tests: "" })).toEqual([
      "test: .venv/bin/python -m unittest discover -s tests",
    ]);
    expect(runs({ "setup.cfg": "run = python -m unittest\n", "tests/__init__.py": "" })).toEqual([
      "test: python3 -m unittest discover -s tests -t .",
    ]);
    expect(runs({ "setup.cfg": "run = python -m unittest\n" })).toEqual(["test: python3 -m unittest"]);
    expect(runs({ "setup.py": "setup()", tests: "" })).toEqual(["test: .venv/bin/python -m pytest"]);
  });

  test("nothing is guessed without pytest and tests, and tox is used as it is", () => {
    expect(runs({ "pyproject.toml": "[project]\n", "requirements.txt": "pytest-cov\n", "setup.cfg": "" })).toEqual([]);
    expect(runs({ "tox.ini": "[testenv]\n", "setup.py": "", tests: "" })).toEqual(["test: tox"]);
    expect(runs({ "tox.ini": "[testenv]\ncommands = nose2\n" })).toEqual(["test: tox"]);
    expect(runs({ "tox.ini": "[flake8]\n" })).toEqual([]);
  });
});

test("Go and Cargo build and test, and fetch what they declare", () => {
  expect(runs({ "go.mod": "" })).toEqual(["build: go build ./...", "test: go test ./..."]);
  expect(detect({ "go.mod": "", "go.sum": "" }).setup).toEqual({ run: "go mod download", from: "go.mod" });
  expect(detect({ "go.mod": "module a\n\nrequire (\n  b v1\n)\n" }).setup?.run).toBe("go mod download");
  expect(detect({ "go.mod": "module a\n" }).setup).toBeUndefined();
  expect(runs({ "Cargo.toml": "" })).toEqual(["build: cargo build", "test: cargo test"]);
  expect(detect({ "Cargo.toml": "", "Cargo.lock": "" }).setup?.run).toBe("cargo fetch --locked");
  expect(detect({ "Cargo.toml": "[package]\n[dev-dependencies]\na = 1\n" }).setup?.run).toBe("cargo fetch");
  expect(detect({ "Cargo.toml": "[package]\n" }).setup).toBeUndefined();
  expect(runs({ "Cargo.toml": "[package]\n[workspace]\n" })).toContain("test: cargo test --workspace");
});

describe("one descriptor for each ecosystem", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    [
      "Maven",
      { "pom.xml": "" },
      ["build: mvn -B -o -DskipTests package", "test: mvn -B -o test"],
      "mvn -B -q package -Dtest=NoTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false",
    ],
    [
      "Gradle by its wrapper",
      { "build.gradle.kts": "", gradlew: "" },
      ["build: ./gradlew --no-daemon --offline assemble", "test: ./gradlew --no-daemon --offline cleanTest test"],
      "./gradlew --no-daemon assemble testClasses",
    ],
    [
      ".NET",
      { "App.sln": "", "src/App.csproj": "", "test/App.Tests.csproj": "" },
      ["build: dotnet build --no-restore", "test: dotnet test --no-restore"],
      "dotnet restore",
    ],
    [
      "Ruby with RSpec",
      { Gemfile: "gem 'rspec'\ngem 'rubocop'\n", ".rspec": "", ".rubocop.yml": "" },
      ["lint: bundle exec rubocop", "test: bundle exec rspec"],
      "bundle config set --local path vendor/bundle && bundle install",
    ],
    [
      "Ruby with rake",
      { Gemfile: "gemspec\n", Rakefile: "Rake::TestTask.new(:test)\n" },
      ["test: bundle exec rake test"],
      "bundle config set --local path vendor/bundle && bundle install",
    ],
    [
      "PHP",
      { "composer.json": "{}", "phpunit.xml.dist": "", "phpstan.neon": "" },
      ["typecheck: vendor/bin/phpstan analyse", "test: vendor/bin/phpunit"],
      "composer install --no-interaction",
    ],
    [
      "PHP with scripts",
      { "composer.json": '{"scripts": {"test": "pest", "lint": "pint --test"}}' },
      ["lint: composer run lint", "test: composer run test"],
      "composer install --no-interaction",
    ],
    [
      "Deno",
      { "deno.jsonc": '{\n  // ours\n  "tasks": {"lint": "deno lint"}\n}', "main_test.ts": "" },
      ["lint: deno task lint", "test: deno test"],
      "deno install",
    ],
  ])("%s", (_name, files, lines, setup) => {
    expect(runs(files)).toEqual(lines);
    expect(detect(files).setup?.run).toBe(setup);
  });

  test("just gives recipes that need no argument", () => {
    const justfile = "set shell := ['bash']\n\n@test *args: build\n  x\nbuild:\n  y\nlint path:\n  z\n";
    expect(runs({ justfile })).toEqual(["build: just build", "test: just test"]);
  });

  test("one that is not known is named", () => {
    expect(detect({ "mix.exs": "" })).toEqual({
      commands: [],
      unknown: ["mix.exs (Elixir): it is not supported; configure its commands"],
    });
  });
});

describe("packages below the top", () => {
  test("have commands in their own folders, and one set-up for all", () => {
    const found = detect({
      "backend/pyproject.toml": "[project]\n[tool.pytest.ini_options]\n",
      "backend/uv.lock": "",
      "frontend/package.json": pack({ test: "vitest", build: "vite build" }),
      "frontend/package-lock.json": "",
    });
    expect(found.commands).toEqual([
      { name: "test-backend", run: ".venv/bin/python -m pytest", cwd: "backend", from: "backend/pyproject.toml" },
      { name: "build", run: "npm run build", cwd: "frontend", from: "frontend/package.json" },
      { name: "test-frontend", run: "npm run test", cwd: "frontend", from: "frontend/package.json" },
    ]);
    expect(found.setup).toEqual({
      run: "(cd backend && uv sync --locked) && (cd frontend && npm ci)",
      from: "backend/uv.lock",
    });
  });

  test("are not asked where the top speaks for their ecosystem, nor examples and fixtures", () => {
    expect(
      runs({
        "go.mod": "",
        "web/package.json": pack({ test: "x" }),
        "sub/go.mod": "",
        "examples/a/package.json": pack({ test: "x" }),
        "test/fixtures/package.json": pack({ test: "x" }),
        "runtime-tests/deno/deno.json": '{"tasks": {"test": "deno test"}}',
      }),
    ).toEqual(["build: go build ./...", "test: go test ./...", "test-web: npm run test"]);
  });

  test("are asked where the top has a manifest of their language and no check", () => {
    const files = {
      "pyproject.toml": '[dependency-groups]\ndev = ["ruff"]\n',
      "backend/pyproject.toml": "[project]\n[tool.pytest.ini_options]\n",
    };
    expect(detect(files).commands).toMatchObject([{ name: "test", cwd: "backend" }]);
  });

  test("beyond a few are named and not proposed", () => {
    const files = Object.fromEntries([..."abcdefgh"].map((name) => [`${name}/go.mod`, ""]));
    const found = detect(files);
    expect(found.commands).toHaveLength(12);
    expect(found.unknown).toEqual(["2 more packages have checks of their own: g, h"]);
  });
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

test("the same check of another language gets a suffix, and all required set-ups are one line", () => {
  const found = detect({
    "package.json": pack({ test: "jest" }),
    "package-lock.json": "",
    "pytest.ini": "",
    "Cargo.toml": "",
    "Cargo.lock": "",
  });
  expect(found.commands.map((command) => command.name)).toEqual(["test", "test-python", "build", "test-cargo"]);
  expect(found.setup).toEqual({ run: "npm ci && cargo fetch --locked", from: "package.json" });
  const both = { "package.json": pack({ test: "jest" }), "package-lock.json": "", "requirements.txt": "pytest\n" };
  expect(detect(both).setup?.lockFile).toBe("package-lock.json");
});

test("a set-up whose ecosystem has no check is left out, unless a recipe may need it", () => {
  const files = { "package.json": pack({}, { devDependencies: { jest: "*" } }), "go.mod": "" };
  expect(detect(files).setup).toBeUndefined();
  expect(detect({ ...files, Makefile: "lint:\n\tnpx x\n" }).setup?.run).toBe("npm install --no-audit --no-fund");
});
