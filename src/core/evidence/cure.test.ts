import { expect, test } from "vitest";
import { type Ailment, cureOf, curesOf } from "./cure.ts";

const NPM = { run: "npm install --no-audit --no-fund", lockFile: "package.json", from: "package.json" };
const ailment = (words: string, more: Partial<Ailment> = {}): Ailment => ({
  command: { name: "test", run: "npm run test" },
  words,
  project: { commands: [], scripts: [] },
  ...more,
});
const text = (words: string, more: Partial<Ailment> = {}) => cureOf(ailment(words, more)).join("\n");

test("[A-21] a package's own program that is missing is cured by the set-up that installs it", () => {
  const project = { setup: NPM, commands: [], scripts: ["test"] };
  expect(cureOf(ailment("test could not be run: sh: 1: xo: not found", { project }))).toEqual([
    "xo is not installed in a clean checkout; a set-up installs it:",
    "commands:",
    "  setup: npm install --no-audit --no-fund",
  ]);
});

test("a program of the machine is named with how it is got, and with a way to do without", () => {
  expect(text("sh: 1: go: not found")).toBe("go is not on the PATH; get it: https://go.dev/doc/install");
  const setup = {
    run: "npm install --prefix .tools pnpm@10 && PATH=$PWD/.tools:$PATH pnpm install",
    from: "package.json",
  };
  const commands = [{ name: "test", run: "PATH=$PWD/.tools:$PATH pnpm run test" }];
  const lines = text("sh: 1: pnpm: not found", { project: { setup, commands, scripts: [] } });
  expect(lines).toContain("get it: npm install -g pnpm\nor do without:\ncommands:\n  setup: npm install --prefix");
  expect(lines).toContain("  test: PATH=$PWD/.tools:$PATH pnpm run test");
});

test("a Python package that is missing asks for an environment of its own, or for one more package in it", () => {
  const command = { name: "test", run: "python3 -m pytest" };
  expect(text("/usr/bin/python3: No module named pytest", { command })).toContain(
    "commands:\n  setup: python3 -m venv .venv && .venv/bin/python -m pip install -e . pytest\n  test: .venv/bin/python -m pytest",
  );
  const setup = { run: "python3 -m venv .venv && .venv/bin/python -m pip install -e ." };
  const own = { name: "test", run: ".venv/bin/python -m pytest" };
  expect(text("ModuleNotFoundError: No module named 'freezegun.api'", { command: own, setup })).toContain(
    `  setup: ${setup.run} freezegun`,
  );
});

test("a script that is not there is answered with those that are", () => {
  const project = { commands: [], scripts: ["unit", "lint"] };
  expect(text('npm error Missing script: "test"', { project })).toContain("has the scripts unit, lint");
});

test("a set-up that fails is told from a network that is not there", () => {
  const setup = { run: "npm ci" };
  const failed = (said: string) => text(`test could not be run: the set-up failed (exit 1): ${said}`, { setup });
  expect(failed("npm error code EAI_AGAIN")).toContain("needs the network");
  expect(failed("npm error code SELF_SIGNED_CERT_IN_CHAIN")).toContain(
    "setup: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem && npm ci",
  );
  expect(failed("ERROR: No matching distribution found for flit_core<4")).toContain("pip finds no flit_core");
  expect(failed("npm error code EUSAGE")).toContain("make `npm ci` work on a clean checkout");
  expect(failed("sh: 1: pnpm: not found")).toContain("npm install -g pnpm");
});

test("whatever else it is, something can be done, and the same is said once", () => {
  expect(text("it ran no test at all")).toContain("finds no test");
  expect(text("who knows")).toContain("configure another line for test");
  const project = { setup: NPM, commands: [], scripts: [] };
  const two = [ailment("sh: 1: xo: not found", { project }), ailment("sh: 1: xo: not found", { project })];
  expect(curesOf(two)).toEqual(cureOf(ailment("sh: 1: xo: not found", { project })));
});

test("lines are what YAML reads back", () => {
  const setup = { run: `pip install 'a: b' "c"`, from: "x" };
  const lines = cureOf(ailment("sh: 1: xo: not found", { project: { setup, commands: [], scripts: [] } }));
  expect(lines.at(-1)).toBe(`  setup: ${JSON.stringify(setup.run)}`);
});
