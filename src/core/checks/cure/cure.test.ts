import { expect, test } from "vitest";
import { STOOD_STILL } from "../outcome/not-run.ts";
import { type FailedCommandFacts, proposeFix, proposeFixes } from "./cure.ts";
import type { PackageSettings } from "./cure-network.ts";
import { explainNetworkProblem } from "./cure-network.ts";

const NPM = { run: "npm install --no-audit --no-fund", lockFile: "package.json", from: "package.json" };
const ailment = (words: string, more: Partial<FailedCommandFacts> = {}): FailedCommandFacts => ({
  command: { name: "test", run: "npm run test" },
  words,
  project: { commands: [], scripts: [] },
  machine: { isRoot: false, isInstalled: (program) => ["apt", "sudo", "npm"].includes(program) },
  ...more,
});
const text = (words: string, more: Partial<FailedCommandFacts> = {}) => proposeFix(ailment(words, more)).join("\n");

test("[A-21] a package's own program that is missing is cured by the set-up that installs it", () => {
  const project = { setup: NPM, commands: [], scripts: ["test"] };
  expect(proposeFix(ailment("test could not be run: sh: 1: xo: not found", { project }))).toEqual([
    "xo is not installed in a clean checkout; a set-up installs it:",
    "commands:",
    "  setup: npm install --no-audit --no-fund",
  ]);
});

test("a missing program is reported with its install command and an alternative", () => {
  expect(text("sh: 1: go: not found")).toBe(
    "go is not on the PATH; install go as https://go.dev/doc/install says, or put the folder that has it on the PATH",
  );
  const setup = {
    run: "npm install --prefix .tools pnpm@10 && PATH=$PWD/.tools:$PATH pnpm install",
    from: "package.json",
  };
  const commands = [{ name: "test", run: "PATH=$PWD/.tools:$PATH pnpm run test" }];
  const lines = text("sh: 1: pnpm: not found", { project: { setup, commands, scripts: [] } });
  expect(lines).toContain("get it: npm install -g pnpm\nor do without:\ncommands:\n  setup: npm install --prefix");
  expect(lines).toContain("  test: PATH=$PWD/.tools:$PATH pnpm run test");
});

test("a missing Python package proposes a virtual environment, or one more package in it", () => {
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

test("a package goes to the part of a set-up that installs, and one that is there already is not proposed again", () => {
  const command = { name: "test", run: ".venv/bin/python -m pytest" };
  const cured = (run: string, module = "yaml") => text(`No module named '${module}'`, { command, setup: { run } });
  const venv = "python3 -m venv .venv";
  expect(cured(`${venv} && .venv/bin/pip install -e . && make fixtures`)).toContain(
    `setup: ${venv} && .venv/bin/pip install -e . PyYAML && make fixtures`,
  );
  expect(cured(venv)).toContain(`setup: ${venv} && .venv/bin/python -m pip install PyYAML`);
  const again = cured(`${venv} && .venv/bin/pip install -e . PyYAML`);
  expect(again).toContain("installs yaml already");
  expect(again).not.toContain("commands:");
  const project = { commands: [], scripts: [], modules: ["mine"] };
  const whole = text("No module named 'mine'", {
    command,
    project,
    setup: { run: `${venv} && .venv/bin/pip install pytest` },
  });
  expect(whole).toContain(".venv/bin/pip install pytest -e .");
});

test("a missing script lists the existing ones, with a line only for a likely match", () => {
  const project = { commands: [], scripts: ["unit", "lint"] };
  expect(text('npm error Missing script: "test"', { project })).toContain("has the scripts unit, lint; configure");
  const alike = { commands: [], scripts: ["test:unit", "lint"] };
  expect(text('npm error Missing script: "test"', { project: alike })).toContain("  test: npm run test:unit");
});

const failed = (said: string, more: Partial<FailedCommandFacts> = {}) =>
  text(`test could not be run: the set-up failed (exit 1): ${said}`, { setup: { run: "npm ci" }, ...more });
const settings = (more: Partial<PackageSettings>): PackageSettings => ({
  node: {},
  pip: {},
  uv: {},
  go: {},
  withheld: [],
  ...more,
});
const CA = { NODE_EXTRA_CA_CERTS: "/etc/ssl/ca.crt" };
const UNKNOWN = "npm error code SELF_SIGNED_CERT_IN_CHAIN";

test("[A-21] the missing network settings of a set-up are printed with this machine's values", () => {
  expect(failed(UNKNOWN, { settings: settings({ node: CA }) })).toContain(
    'environment:\n  setup:\n    set:\n      NODE_EXTRA_CA_CERTS: "/etc/ssl/ca.crt"',
  );
  const pip = {
    PIP_FIND_LINKS: "/opt/wheels",
    PIP_EXTRA_INDEX_URL: "https://a.example/simple https://b.example/simple",
  };
  const run = "python3 -m venv .venv && .venv/bin/python -m pip install -e .";
  const lines = failed("ERROR: No matching distribution found for flit_core<4", {
    setup: { run },
    settings: settings({ pip }),
  });
  expect(lines).toContain("pip cannot find flit_core");
  expect(lines).toContain(
    '      PIP_FIND_LINKS: "/opt/wheels"\n      PIP_EXTRA_INDEX_URL: "https://a.example/simple https://b.example/simple"',
  );
});

test("[A-21] settings are not proposed for a package that is not found with them either", () => {
  const said =
    "Installing build dependencies: finished with status 'error'\nERROR: No matching distribution found for flit_core<4";
  const run = "python3 -m venv .venv && .venv/bin/python -m pip install -e .";
  const pip = { PIP_FIND_LINKS: "/opt/wheels" };
  const known = { ...settings({ pip }), unfound: [{ wanted: "flit_core<4", versions: ["4.1.0"] }] };
  const lines = failed(said, { setup: { run }, settings: known });
  expect(lines).not.toContain("PIP_FIND_LINKS");
  expect(lines).toContain("pip cannot find flit_core<4, which builds this project (build-system in pyproject.toml)");
  expect(lines).toContain("with your own settings it finds only 4.1.0");
  expect(lines).toContain("configure a setup line that does not need it");
});

test("[A-21] an unknown value is described in words, without a line to paste", () => {
  for (const said of [UNKNOWN, "npm error code EAI_AGAIN", "npm error code EUSAGE"]) {
    expect(failed(said)).not.toMatch(/commands:|\/path\/to|<your|…/);
  }
  expect(failed(UNKNOWN)).toContain("as NODE_EXTRA_CA_CERTS in environment.setup.set");
  expect(failed("npm error code EAI_AGAIN")).toContain("needs the network");
  expect(failed("npm error code EUSAGE")).toContain("make `npm ci` work on a clean checkout");
  const withheld = [{ name: "npm_config_registry", why: "holds a password" }];
  expect(failed("npm error code EAI_AGAIN", { settings: settings({ withheld }) })).toContain(
    "your value of npm_config_registry holds a password",
  );
});

test("[A-21] a certificate is not proposed for an unreachable host", () => {
  const lines = failed("npm error code ECONNREFUSED", { settings: settings({ node: CA }) });
  expect(lines).toContain("`npm ci` needs the network and could not reach it");
  expect(lines).not.toContain("NODE_EXTRA_CA_CERTS");
  const proxy = { ...CA, HTTPS_PROXY: "http://proxy:3128" };
  expect(failed("npm error code ECONNREFUSED", { settings: settings({ node: proxy }) })).toContain("HTTPS_PROXY:");
});

test("[A-21] settings that cannot be printed are listed as not included", () => {
  const withheld = [{ name: "PIP_EXTRA_INDEX_URL", why: "holds a password" }];
  const lines = failed("ERROR: No matching distribution found for flit_core<4", {
    setup: { run: "python3 -m pip install -e ." },
    settings: settings({ pip: { PIP_FIND_LINKS: "/opt/wheels" }, withheld }),
  });
  expect(lines).toContain('PIP_FIND_LINKS: "/opt/wheels"');
  expect(lines).toContain("not included: your value of PIP_EXTRA_INDEX_URL holds a password");
});

test("[A-21] a network failure is reported with the line that needed it", () => {
  expect(explainNetworkProblem("npm ci", "npm error code EAI_AGAIN")).toBe(
    "`npm ci` needs the network and could not reach it",
  );
  expect(explainNetworkProblem("npm ci", UNKNOWN)).toBe("`npm ci` received a certificate that it does not trust");
  expect(explainNetworkProblem("npm ci", "npm error code EUSAGE")).toBeUndefined();
});

test("[A-21] a setting that is already used is not proposed again", () => {
  const setup = { run: "export NODE_EXTRA_CA_CERTS=/etc/ssl/ca.crt && npm ci" };
  const lines = failed(UNKNOWN, { setup, settings: settings({ node: CA }) });
  expect(lines).toContain("although it has NODE_EXTRA_CA_CERTS");
  const given = ["NODE_EXTRA_CA_CERTS"];
  expect(failed(UNKNOWN, { given, settings: settings({ node: CA }) })).toContain("although it has NODE_EXTRA_CA_CERTS");
  expect(lines).toContain("`npm config list` shows its other settings");
  expect(lines).not.toContain("environment:");
});

test("other package managers get the settings that every program reads", () => {
  const lines = failed("[6] Could not resolve hostname", { setup: { run: "cargo fetch" } });
  expect(lines).toContain("`cargo fetch` needs the network and could not reach it");
  expect(lines).toContain("as HTTPS_PROXY in environment.setup.set");
});

test("the failed program of a line with several programs is reported", () => {
  const setup = { run: "npm ci && (cd py && python3 -I -m venv .venv && .venv/bin/python -I -m pip install -e .)" };
  const both = settings({ node: CA, pip: { PIP_CERT: "/etc/ssl/pip.crt" } });
  const npm = failed(UNKNOWN, { setup, settings: both });
  expect(npm).toContain("NODE_EXTRA_CA_CERTS:");
  expect(npm).not.toContain("PIP_CERT");
  const pip = failed("ERROR: pip: CERTIFICATE_VERIFY_FAILED", { setup, settings: both });
  expect(pip).toContain("PIP_CERT:");
  expect(pip).not.toContain("NODE_EXTRA_CA_CERTS");
});

test("a program gets the variables that it reads: Java its own, uv not those of pip", () => {
  const offline = "[FATAL] Non-resolvable parent POM: Could not transfer artifact a:b:pom:1";
  for (const run of ["mvn -B -q package", "./gradlew assemble"]) {
    const lines = failed(offline, { setup: { run } });
    expect(lines).toContain("(-Dhttps.proxyHost, -Dhttps.proxyPort) as JAVA_TOOL_OPTIONS");
    expect(lines).not.toContain("HTTPS_PROXY");
  }
  const uv = failed("error: Failed to fetch: `https://a.example` invalid peer certificate: UnknownIssuer", {
    setup: { run: "uv sync --locked" },
    settings: settings({ pip: { PIP_CERT: "/etc/ssl/a.crt" }, uv: { SSL_CERT_FILE: "/etc/ssl/a.crt" } }),
  });
  expect(uv).toContain('SSL_CERT_FILE: "/etc/ssl/a.crt"');
  expect(uv).not.toContain("PIP_CERT");
});

test("a set-up with a missing program reports how to install it", () => {
  expect(failed("sh: 1: pnpm: not found")).toContain("npm install -g pnpm");
  expect(failed("sh: 1: go: not found")).toContain("install go as https://go.dev/doc/install says, or put the folder");
  expect(failed("sh: 1: zig: not found")).toContain("install zig, put the folder that has it on the PATH, or let");
});

test("tests that miss their browser get it by the set-up, inside the checkout", () => {
  const words = "test could not be run: browserType.launch: Executable doesn't exist";
  const setup = { run: "npm ci" };
  const lines = text(words, { setup });
  expect(lines).toContain(
    "setup: npm ci && PLAYWRIGHT_BROWSERS_PATH=$PWD/.tools/browsers npx --no-install playwright install",
  );
  expect(lines).toContain("test: export PLAYWRIGHT_BROWSERS_PATH=$PWD/.tools/browsers && npm run test");
  expect(text("Could not find Chrome (ver. 130)", { setup })).toContain("PUPPETEER_CACHE_DIR=");
  expect(text("Cypress binary is missing", { setup })).toContain("npx --no-install cypress install");
});

test("every failure has a fix, and equal fixes are printed once", () => {
  expect(text("it ran no test at all")).toContain("found no test");
  expect(text("who knows")).toContain("configure another line for test");
  const project = { setup: NPM, commands: [], scripts: [] };
  const two = [ailment("sh: 1: xo: not found", { project }), ailment("sh: 1: xo: not found", { project })];
  expect(proposeFixes(two)).toEqual(proposeFix(ailment("sh: 1: xo: not found", { project })));
});

test("printed lines are valid YAML", () => {
  const setup = { run: `pip install 'a: b' "c"`, from: "x" };
  const lines = proposeFix(ailment("sh: 1: xo: not found", { project: { setup, commands: [], scripts: [] } }));
  expect(lines.at(-1)).toBe(`  setup: ${JSON.stringify(setup.run)}`);
});

test("[A-21] a set-up that stood still gets the settings that this machine reaches the network with", () => {
  const lines = failed(STOOD_STILL, {
    setup: { run: "pnpm install --frozen-lockfile" },
    settings: settings({ node: { NODE_EXTRA_CA_CERTS: "/etc/ssl/own.pem" } }),
  });
  expect(lines).toContain("waited without progress");
  expect(lines).toContain('NODE_EXTRA_CA_CERTS: "/etc/ssl/own.pem"');
});
