import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaFiles } from "../../src/pipelines/artifacts.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), "signalbox-installed-"));
const modules = join(home, "lib/node_modules");
const installed = join(modules, "signalbox");

// This repository's own package.json.
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Creates the result of `npm install` of the packed package, without a registry. */
beforeAll(async () => {
  const built = join(home, "built");
  await run(bin("tsc"), ["-p", join(ROOT, "tsconfig.build.json"), "--outDir", join(built, "dist")]);
  await run(process.execPath, [join(ROOT, "scripts/bundle.mjs"), join(built, "dist")]);
  await run(process.execPath, [join(ROOT, "scripts/schemas.mjs"), join(built, "dist/schemas")]);
  await run(process.execPath, [
    join(ROOT, "scripts/reporters.mjs"),
    join(built, "dist/engine/execute/checks/reporters"),
  ]);
  for (const name of [...manifest.files.filter((file) => file !== "dist" && !file.startsWith("!")), "package.json"]) {
    cpSync(join(ROOT, name), join(built, name), { recursive: true });
  }
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", home];
  const { stdout } = await run("npm", pack, { cwd: built });
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", join(home, stdout.trim()), "-C", installed, "--strip-components=1"]);
  for (const name of [...Object.keys(manifest.dependencies), "@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
});

const bin = (name: string) => join(ROOT, "node_modules/.bin", name);

afterAll(() => rmSync(home, { recursive: true, force: true }));

test("an installed program runs a pipeline of a repository that has no installed dependencies", async () => {
  const repo = join(home, "repo");
  mkdirSync(repo);
  const own = { XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") };
  const env = { ...process.env, ...own, SIGNALBOX_TRUST: "1", SIGNALBOX_NO_CHECKS: "nothing is checked here" };
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=T", "-c", "user.email=t@localhost", ...args], { cwd: repo });
  const signalbox = (...args: string[]) =>
    run(process.execPath, [join(installed, "bin/signalbox.js"), "-C", repo, ...args], { env });
  await git("init", "--quiet", "--initial-branch=main");
  await git("commit", "--quiet", "--allow-empty", "--message=start");
  await signalbox("pipelines", "new", "own", "--from", "review");
  const agents = join(repo, ".signalbox/pipelines/own.agents.yaml");
  const flags = ["--agents", agents, "--approvals", "autonomous", "--json"];
  const { stdout } = await signalbox("run", "own", "Write a note", ...flags);
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}")).toMatchObject({
    type: "run.finished",
    status: "done",
    commit: expect.any(String),
  });
  expect(readdirSync(repo).sort()).toEqual([".git", ".signalbox"]);
});

test("the package contains the pipeline sources for copying, without their tests", async () => {
  const repo = join(home, "copied");
  mkdirSync(repo);
  const env = { ...process.env, XDG_STATE_HOME: join(home, "state"), SIGNALBOX_TRUST: "1" };
  const signalbox = (...args: string[]) =>
    run(process.execPath, [join(installed, "bin/signalbox.js"), "-C", repo, ...args, "--json"], { env });
  await run("git", ["init", "--quiet"], { cwd: repo });
  await signalbox("pipelines", "new", "our-ledger", "--from", "ledger");
  const { stdout } = await signalbox("pipelines", "show", "our-ledger");
  expect(JSON.parse(stdout)).toMatchObject({ name: "our-ledger", from: ".signalbox/pipelines/our-ledger.ts" });
  const sources = readdirSync(join(installed, "src"), { recursive: true, encoding: "utf8" });
  expect(sources.filter((file) => file.includes(".test."))).toEqual([]);
});

test("the package has few files and includes the licenses of its bundled dependencies", async () => {
  const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
  const loose = files.filter(
    (file) => file.endsWith(".js") && !/^(chunks|engine\/execute\/checks\/reporters)\//.test(file),
  );
  expect(loose.length).toBeLessThan(20);
  expect(readdirSync(join(installed, "dist/licences")).sort()).toEqual(["commander.txt", "yaml.txt", "zod.txt"]);
});

test("all entry points of the package load the same code", async () => {
  const lines = [
    `import { definePipeline } from "signalbox";`,
    `import * as authoring from "signalbox/authoring";`,
    `console.log(definePipeline === authoring.definePipeline);`,
  ];
  const args = ["--input-type=module", "--eval", lines.join("\n")];
  const { stdout } = await run(process.execPath, args, { cwd: dirname(modules) });
  expect(stdout.trim()).toBe("true");
});

test("the package exports a schema per artifact", () => {
  const { resolve: find } = createRequire(join(installed, "dist/index.js"));
  for (const { file, schema } of schemaFiles()) {
    expect(JSON.parse(readFileSync(find(`signalbox/schemas/${file}`), "utf8"))).toEqual(schema);
  }
});

test("the example driver passes the driver suite and type-checks against the installed package", async () => {
  const folder = dirname(modules);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const file of ["own-driver.ts", "own-driver.test.ts", "fake-parrot.mjs"]) {
    cpSync(join(installed, "examples", file), join(folder, file));
  }
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--allowImportingTsExtensions", "--types", "node"];
  await run(bin("tsc"), [...strict, "--target", "es2024", "own-driver.test.ts"], { cwd: folder });
  const env = { ...process.env, NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined };
  const tested = ["--test", "--test-reporter=tap", "own-driver.test.ts"];
  const { stdout } = await run(process.execPath, tested, { cwd: folder, env });
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(15);
});
