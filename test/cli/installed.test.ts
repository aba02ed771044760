import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaFiles } from "../../src/pipelines/artifacts.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), "signalbox-installed-"));
const installed = join(home, "lib/node_modules/signalbox");

// Our own file.
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
};

/** What `npm install --global` leaves behind, without asking a registry: the built package and what it depends on. */
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  const tsc = [join(ROOT, "node_modules/.bin/tsc"), "-p", join(ROOT, "tsconfig.build.json")] as const;
  await run(tsc[0], [...tsc.slice(1), "--outDir", join(installed, "dist")]);
  await run(process.execPath, [join(ROOT, "scripts/schemas.mjs"), join(installed, "dist/schemas")]);
  await run(process.execPath, [join(ROOT, "scripts/reporters.mjs"), join(installed, "dist/engine/perform/reporters")]);
  for (const name of [...manifest.files.filter((file) => file !== "dist"), "package.json"]) {
    cpSync(join(ROOT, name), join(installed, name), { recursive: true });
  }
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(installed, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("an installed program runs a pipeline of a repository that has installed nothing", async () => {
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

test("the package exports a schema per artifact", () => {
  const { resolve: find } = createRequire(join(home, "lib/node_modules/signalbox/dist/index.js"));
  for (const { file, schema } of schemaFiles()) {
    expect(JSON.parse(readFileSync(find(`signalbox/schemas/${file}`), "utf8"))).toEqual(schema);
  }
});
