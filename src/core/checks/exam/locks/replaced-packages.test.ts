import { expect, test } from "vitest";
import { findReplacedInLock } from "./replaced-packages.ts";

type Entry = Readonly<Record<string, unknown>>;
const npm = (packages: Readonly<Record<string, Entry>>) => JSON.stringify({ lockfileVersion: 3, packages });
const release = (name: string, version: string, sum = `${name}${version}`) => ({
  version,
  resolved: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`,
  integrity: `sha512-${sum}`,
});
const BEFORE = {
  "": { name: "p" },
  "node_modules/ms": release("ms", "2.1.3"),
  "node_modules/mocha": release("mocha", "11.0.0"),
};

const replaced = (path: string, before: string, after: string, installed: readonly string[] = []) =>
  findReplacedInLock({ path, before, after, installed: new Set(installed) });
const byNpm = (change: Readonly<Record<string, Entry>>) =>
  replaced("package-lock.json", npm(BEFORE), npm({ ...BEFORE, ...change }));

test.each<[what: string, change: Readonly<Record<string, Entry>>]>([
  ["other content under the same version", { "node_modules/ms": release("ms", "2.1.3", "other") }],
  [
    "an archive of the repository",
    { "node_modules/ms": { version: "2.1.3", resolved: "file:tools/ms-2.1.3.tgz", integrity: "sha512-x" } },
  ],
  ["a link to a folder", { "node_modules/ms": { resolved: "tools/ms", link: true } }],
  [
    "a folder in the place of a nested one",
    { "node_modules/mocha/node_modules/ms": { resolved: "tools/ms", link: true } },
  ],
  ["a repository", { "node_modules/ms": { version: "2.1.4", resolved: "git+ssh://git@x.org/ms.git#abc" } }],
  ["another package of the registry", { "node_modules/ms": { ...release("evil", "3.0.0") } }],
  [
    "another host",
    { "node_modules/ms": { ...release("ms", "2.1.4"), resolved: "https://x.example/ms/-/ms-2.1.4.tgz" } },
  ],
  ["no digest any more", { "node_modules/ms": { version: "2.1.4", resolved: release("ms", "2.1.4").resolved } }],
])("[A-38] %s replaces an installed package", (_what, change) => {
  expect(byNpm(change)).toEqual(["ms"]);
});

test.each<[what: string, change: Readonly<Record<string, Entry>>]>([
  ["an upgrade", { "node_modules/ms": release("ms", "2.1.4") }],
  ["a further copy of another version", { "node_modules/mocha/node_modules/ms": release("ms", "1.0.0") }],
  ["a package that is new", { "node_modules/left": release("left", "1.0.0") }],
  [
    "a workspace that is new",
    { "packages/a": { name: "a" }, "node_modules/a": { resolved: "packages/a", link: true } },
  ],
  [
    "a mirror with the same content",
    { "node_modules/ms": { ...release("ms", "2.1.3"), resolved: "https://x.example/ms.tgz" } },
  ],
])("%s replaces none", (_what, change) => {
  expect(byNpm(change)).toEqual([]);
});

test("[A-38] a lock that is new replaces what other files installed", () => {
  const after = npm({
    "node_modules/ms": { resolved: "tools/ms", link: true },
    "node_modules/mocha": release("mocha", "1.0.0"),
  });
  expect(replaced("npm-shrinkwrap.json", "", after, ["ms", "mocha"])).toEqual(["ms"]);
  expect(replaced("npm-shrinkwrap.json", "", after, ["mocha"])).toEqual([]);
});

test("an unreadable lock gives no result", () => {
  expect(replaced("package-lock.json", npm(BEFORE), "<<<<<<<")).toBeUndefined();
});

const SUM = "a".repeat(64);
const OTHER = "b".repeat(64);

test.each<[path: string, before: string, honest: string, lie: string]>([
  [
    "pnpm-lock.yaml",
    "lockfileVersion: '9.0'\n\npackages:\n\n  ms@2.1.3:\n    resolution: {integrity: sha512-a}\n",
    "lockfileVersion: '9.0'\n\npackages:\n\n  ms@2.1.4:\n    resolution: {integrity: sha512-b}\n",
    "lockfileVersion: '9.0'\n\npackages:\n\n  ms@file:tools/ms:\n    resolution: {directory: tools/ms, type: directory}\n",
  ],
  [
    "pnpm-lock.yaml",
    "packages:\n\n  /ms@2.1.3:\n    resolution: {integrity: sha512-a}\n    dev: true\n",
    "packages:\n\n  /ms@2.1.3:\n    resolution: {integrity: sha512-a}\n    dev: false\n",
    "importers:\n\n  .:\n    dependencies:\n      ms:\n        specifier: ^2\n        version: link:tools/ms\n\npackages:\n",
  ],
  [
    "yarn.lock",
    'ms@^2.0.0:\n  version "2.1.3"\n  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.3.tgz#abc"\n  integrity sha512-a\n',
    'ms@^2.0.0, ms@^2.1.0:\n  version "2.1.4"\n  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.4.tgz#abd"\n  integrity sha512-b\n',
    '"ms@file:tools/ms":\n  version "2.1.3"\n',
  ],
  [
    "yarn.lock",
    '"ms@npm:^2.0.0":\n  version: 2.1.3\n  resolution: "ms@npm:2.1.3"\n  checksum: 10c0/a\n',
    '"ms@npm:^2.0.0":\n  version: 2.1.4\n  resolution: "ms@npm:2.1.4"\n  checksum: 10c0/b\n',
    '"ms@workspace:tools/ms":\n  version: 0.0.0-use.local\n  resolution: "ms@workspace:tools/ms"\n',
  ],
  [
    "bun.lock",
    '{ "packages": { "ms": ["ms@2.1.3", "", {}, "sha512-a"], } }',
    '{ "packages": { "ms": ["ms@2.1.4", "", {}, "sha512-b"], } }',
    '{ "packages": { "ms": ["ms@file:tools/ms", {}], } }',
  ],
  [
    "uv.lock",
    `[[package]]\nname = "ms"\nversion = "1.0"\nsource = { registry = "https://pypi.org/simple" }\nsdist = { url = "x", hash = "sha256:${SUM}" }\n`,
    `[[package]]\nname = "ms"\nversion = "1.1"\nsource = { registry = "https://pypi.org/simple" }\nsdist = { url = "x", hash = "sha256:${OTHER}" }\n`,
    '[[package]]\nname = "ms"\nversion = "1.0"\nsource = { directory = "tools/ms" }\n',
  ],
  [
    "poetry.lock",
    `[[package]]\nname = "ms"\nversion = "1.0"\nfiles = [\n    {file = "ms.whl", hash = "sha256:${SUM}"},\n]\n`,
    `[[package]]\nname = "ms"\nversion = "1.1"\nfiles = [\n    {file = "ms.whl", hash = "sha256:${OTHER}"},\n]\n`,
    '[[package]]\nname = "ms"\nversion = "1.1"\nfiles = []\n\n[package.source]\ntype = "directory"\nurl = "tools/ms"\n',
  ],
  [
    "Cargo.lock",
    `[[package]]\nname = "ms"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${SUM}"\n`,
    `[[package]]\nname = "ms"\nversion = "1.0.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${OTHER}"\n`,
    '[[package]]\nname = "ms"\nversion = "1.0.1"\n',
  ],
  [
    "Gemfile.lock",
    "GEM\n  remote: https://rubygems.org/\n  specs:\n    ms (1.0)\n",
    "GEM\n  remote: https://rubygems.org/\n  specs:\n    ms (1.1)\n",
    "PATH\n  remote: tools/ms\n  specs:\n    ms (1.0)\n",
  ],
  ["go.sum", "ms v1.0.0 h1:a=\n", "ms v1.0.0 h1:a=\nms v1.1.0 h1:b=\n", "ms v1.0.0 h1:b=\n"],
])("[A-38] %s tells an upgrade from a package that was replaced", (path, before, honest, lie) => {
  expect(replaced(path, before, honest)).toEqual([]);
  expect(replaced(path, before, lie)).toEqual(["ms"]);
});
