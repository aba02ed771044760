import { expect, test } from "vitest";
import { findReplacedInManifest } from "./replaced-in-manifest.ts";

const INSTALLED = new Set(["ms", "chai", "mocha", "assertpy"]);
const replaced = (path: string, before: unknown, after: unknown) =>
  findReplacedInManifest({
    path,
    before: typeof before === "string" ? before : JSON.stringify(before),
    after: typeof after === "string" ? after : JSON.stringify(after),
    installed: INSTALLED,
  });

test.each<[what: string, more: object, name: string]>([
  ["an override", { overrides: { ms: "file:tools/ms" } }, "ms"],
  ["an override within another one", { overrides: { mocha: { "ms@^2": "npm:evil@1" } } }, "ms"],
  ["a resolution", { resolutions: { "mocha/ms": "link:tools/ms" } }, "ms"],
  ["pnpm's override", { pnpm: { overrides: { "mocha>ms": "link:tools/ms" } } }, "ms"],
  ["a patch", { pnpm: { patchedDependencies: { "ms@2.1.3": "patches/ms.patch" } } }, "ms"],
  ["a dependency on what another package brought", { devDependencies: { ms: "file:tools/ms" } }, "ms"],
  ["its own name", { name: "chai" }, "chai"],
])("[A-38] a package.json replaces an installed package by %s", (_what, more, name) => {
  expect(replaced("tools/package.json", {}, more)).toEqual([name]);
});

test.each<[what: string, before: object, after: object]>([
  ["a dependency", {}, { dependencies: { left: "file:left" } }],
  ["an upgrade", { devDependencies: { mocha: "^10" } }, { devDependencies: { mocha: "^11" } }],
  ["a version that is held", {}, { overrides: { ms: "2.1.2" } }],
  ["an override of what is new", {}, { overrides: { left: "npm:right@1" } }],
  ["an override that was there", { overrides: { ms: "file:a" } }, { name: "p", overrides: { ms: "file:a" } }],
  ["workspaces", {}, { workspaces: ["packages/*"], name: "p" }],
])("%s replaces none", (_what, before, after) => {
  expect(replaced("package.json", before, after)).toEqual([]);
});

test("[A-38] requirements take an installed package from a folder, or look for packages elsewhere", () => {
  const before = "assertpy==1.1\npytest\n";
  expect(replaced("requirements.txt", before, "assertpy @ file:./tools/assertpy\npytest\n")).toEqual(["assertpy"]);
  expect(replaced("requirements.txt", before, `--find-links wheels\n${before}`)).toEqual(["--find-links"]);
  expect(replaced("requirements.txt", before, "assertpy==1.2\npytest\nleft @ file:./left\n")).toEqual([]);
});

test("[A-38] a project of Python with the name of an installed package replaces it", () => {
  expect(replaced("tools/x/pyproject.toml", "", '[project]\nname = "assertpy"\n')).toEqual(["assertpy"]);
  expect(replaced("tools/x/setup.py", "", 'setup(\n    name="assertpy",\n)\n')).toEqual(["assertpy"]);
  expect(replaced("tools/x/pyproject.toml", "", '[project]\nname = "own"\n[tool.x]\nname = "assertpy"\n')).toEqual([]);
});

test("[A-38] pnpm's workspace file can override packages too", () => {
  expect(replaced("pnpm-workspace.yaml", "", "packages:\n  - packages/*\noverrides:\n  ms: link:tools/ms\n")).toEqual([
    "ms",
  ]);
  expect(replaced("pnpm-workspace.yaml", "", "packages:\n  - packages/*\noverrides:\n  ms: 2.1.2\n")).toEqual([]);
});
