import { describe, expect, test } from "vitest";
import { fetchNpmTool } from "../detect/ecosystems/npm-tool.ts";
import { isRead, isSetupInput, mayRunTree, type SetupTree } from "./setup-inputs.ts";

function tree(files: Readonly<Record<string, string>>): SetupTree {
  const texts = new Map(Object.entries(files).filter(([path]) => isRead(path)));
  return { paths: new Set(Object.keys(files)), texts };
}

const lock = (name: string): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { "": {}, [`node_modules/a/node_modules/${name}`]: { hasInstallScript: true } },
  });

/** A missing manager is fetched into the checkout. */
const FETCHED = fetchNpmTool("pnpm@10.1.0");

const PLAIN = tree({ "package.json": '{"scripts":{"test":"node --test"},"main":"./index.js"}', "src/a.js": "" });

describe("[A-31] what a set-up reads of the tree", () => {
  test.each([
    ...["package.json", "packages/a/package.json", ".npmrc", "web/.yarnrc.yml", "pnpm-workspace.yaml", ".pnp.cjs"],
    ...["patches/left-pad.patch", "requirements-dev.txt", "requirements/dev.txt", "constraints.txt", "pyproject.toml"],
    ...[
      "setup.py",
      "setup.cfg",
      "Pipfile.lock",
      "uv.lock",
      "poetry.lock",
      "go.sum",
      "Cargo.toml",
      ".cargo/config.toml",
    ],
    ...["rust-toolchain", "Gemfile", "composer.json", "Makefile", ".yarn/releases/yarn.cjs", "binding.gyp"],
  ])("%s counts", (path) => expect(isSetupInput(path)).toBe(true));

  test.each(["src/index.ts", "README.md", "package.json.md", "test/setup.ts", "docs/requirements.md"])(
    "%s does not count",
    (path) => expect(isSetupInput(path)).toBe(false),
  );
});

describe("[A-31] a plain install runs nothing of the tree", () => {
  test.each([
    ...["npm ci", "npm ci --no-audit --no-fund", "pnpm install --frozen-lockfile", "yarn install --immutable", "yarn"],
    ...["go mod download", "cargo fetch --locked", "npm ci && go mod download", "pip install -r requirements.txt"],
    "python3 -I -m venv .venv && .venv/bin/python -I -m pip install -r requirements.txt -r requirements-dev.txt",
    `${FETCHED.fetch}${FETCHED.before}pnpm install --frozen-lockfile`,
  ])("%s", (line) => expect(mayRunTree(line, PLAIN)).toBe(false));
});

describe("[A-31] any other line may run the tree", () => {
  test.each([
    ...["make", "./setup.sh", "sh scripts/setup.sh", "npm run setup", "npm ci; node x.js", "npm ci && node setup.js"],
    ...["npm ci --script-shell ./run", "npm ci --prefix web", "npm ci --userconfig=rc", "npm ci | sh", "A=1 npm ci"],
    ...["npm install ./local", "python3 -m venv .venv", ".venv/bin/python -m pip install -r requirements.txt"],
    ...[`${FETCHED.fetch}${FETCHED.before}pnpm run setup`, `${FETCHED.fetch}node x.js`, `${FETCHED.before}node x.js`],
    "npm install --prefix .tools --no-save --no-audit --no-fund ./local && pnpm install",
    ...["pip install -e .", "pip install .", "pip install -r ../requirements.txt", "bundle install", ""],
  ])("%s", (line) => expect(mayRunTree(line, PLAIN)).toBe(true));
});

describe("[A-31] an install runs or reads more of the tree if the tree declares it", () => {
  const NPM = "npm ci";
  const PIP = "pip install -r requirements.txt";
  test.each([
    ["a script after installing", NPM, { "package.json": '{"scripts":{"postinstall":"node x.js"}}' }],
    [
      "a script of a workspace",
      NPM,
      { "package.json": "{}", "packages/a/package.json": '{"scripts":{"prepare":"x"}}' },
    ],
    ["a manifest that cannot be read", NPM, { "package.json": "{" }],
    ["a native build", NPM, { "package.json": "{}", "binding.gyp": "{}" }],
    ["a package in the tree", NPM, { "package.json": '{"dependencies":{"a":"file:vendor/a"}}' }],
    ["a patch of a package", NPM, { "package.json": '{"pnpm":{"patchedDependencies":{"a":"x"}}}' }],
    ["hooks of the manager", "pnpm install", { "package.json": "{}", ".pnpmfile.cjs": "" }],
    ["a setting that names a program", NPM, { "package.json": "{}", ".npmrc": "script-shell=./run\n" }],
    ["variables for the manager", "yarn", { "package.json": "{}", ".env.yarn": "NODE_OPTIONS=--require ./x.js" }],
    [
      "a package whose script may read the tree",
      NPM,
      { "package.json": "{}", "package-lock.json": lock("@prisma/client") },
    ],
    ["a lock that does not say", NPM, { "package.json": "{}", "package-lock.json": '{"lockfileVersion":1}' }],
    ["a setting that preloads", NPM, { "package.json": "{}", ".npmrc": "node-options=--require ./x.js\n" }],
    ["a manager in the tree", "yarn", { "package.json": "{}", ".yarnrc.yml": "yarnPath: tools/yarn.cjs\n" }],
    ["a list that names a folder", PIP, { "requirements.txt": "pytest\n./vendor/a\n" }],
    ["a list that installs the project", PIP, { "requirements.txt": "-e .\n" }],
    ["a list that goes on elsewhere", PIP, { "requirements.txt": "-r deps/base.list\n" }],
    ["a program in place of the fetched one", `${FETCHED.before}pnpm install`, { ".tools/node_modules/.bin/pnpm": "" }],
    ["a program in the tree", ".venv/bin/pip install -r requirements.txt", { ".venv/bin/pip": "" }],
  ])("%s", (_why, line, files) => expect(mayRunTree(line, tree(files as never))).toBe(true));

  test("packages that only fetch or build their own program run nothing of the tree", () => {
    const files = { "package.json": "{}", "package-lock.json": lock("esbuild") };
    expect(mayRunTree(NPM, tree(files))).toBe(false);
  });

  test("a text without scripts runs nothing", () => {
    const files = { "package.json": '{"scripts":{"postinstall":"node x.js"}}' };
    expect(mayRunTree("npm ci --ignore-scripts", tree(files))).toBe(false);
    expect(mayRunTree("npm ci --ignore-scripts && npm ci", tree(files))).toBe(true);
  });

  test("lists that name lists and addresses lead nowhere else", () => {
    const files = {
      "requirements.txt": "-r requirements-dev.txt\n# a/b\npytest==8 # see a/b\na @ https://x.example/a\n",
    };
    expect(mayRunTree("pip install -r requirements.txt", tree(files))).toBe(false);
  });
});
