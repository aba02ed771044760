import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const PACKAGE = '{ "name": "x", "scripts": { "test": "node --test", "lint": "eslint ." } }\n';

/** Creates a scene whose PATH has this program first. */
function withProgram(name: string, says: string): Scene {
  const bin = makeScene();
  const file = bin.put(`../bin/${name}`, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(file, 0o755);
  return makeScene({
    env: {
      SIGNALBOX_TRUST: "",
      CODEX_HOME: "/nowhere",
      CODEX_API_KEY: "",
      PATH: `${join(file, "..")}:${process.env["PATH"] ?? ""}`,
    },
  });
}

const readConfig = (scene: Scene): string => readFileSync(join(scene.repo, ".signalbox/config.yaml"), "utf8");

describe("init", () => {
  test("writes the detected configuration, adds the git ignore rules, and records trust", async () => {
    const scene = withProgram("codex", "codex-cli 1.2.3");
    scene.put("package.json", PACKAGE);
    scene.put("package-lock.json", "{}\n");
    const done = JSON.parse((await scene.signalbox("init", "--yes", "--no-check", "--json")).out);
    expect(done).toMatchObject({ v: 1, wrote: true, trusted: true, trial: null });
    expect(done.agents).toContainEqual({ program: "codex", version: "1.2.3", usable: true, login: false });
    expect(parse(readConfig(scene))).toEqual({
      commands: {
        setup: { run: "npm ci", "lock-file": "package-lock.json" },
        lint: "npm run lint",
        test: "npm run test",
      },
      agents: { "*": { driver: "codex" } },
    });
    expect(readFileSync(join(scene.repo, ".git/info/exclude"), "utf8")).toContain("/.signalbox/*\n");
    const dry = await scene.signalbox("run", "ledger", "x", "--dry-run", "--json");
    expect(JSON.parse(dry.out)).toMatchObject({
      trust: { standing: "recorded" },
      setup: { run: "npm ci", lockFile: "package-lock.json" },
    });
  });

  test("[A-21] tries the commands it proposes, and writes none that cannot run", async () => {
    const scene = makeScene();
    const scripts = { test: "node -e 0", lint: "no-such-linter .", build: "node -e process.exit(3)" };
    scene.put("package.json", JSON.stringify({ name: "x", scripts }));
    scene.git("add", ".");
    scene.git("commit", "-qm", "scripts");
    const { out, exit } = await scene.signalbox("init", "--yes");
    expect(exit).toBe(0);
    expect(out).toMatch(/✗ +lint .*not-run: .*no-such-linter: not found/);
    expect(out).toMatch(/! +build .*red before any change/);
    expect(out).toMatch(/✓ +test .*passed/);
    expect(parse(readConfig(scene)).commands).toEqual({ build: "npm run build", test: "npm run test" });
    expect(readConfig(scene)).toMatch(
      /^# When init tried lint \(npm run lint\) here on \d{4}-\d\d-\d\d, it could not run: .*no-such-linter/m,
    );
    expect(readConfig(scene)).not.toMatch(/^ +#/m);
    expect(out).toMatch(/next: apply the fixes above for lint, then run signalbox init\n/);
  });

  test("dates the comment about a check that could not run, and removes it once the check runs", async () => {
    const scene = makeScene();
    const write = (test: string) => scene.put("package.json", JSON.stringify({ name: "x", scripts: { test } }));
    write("no-such-runner");
    scene.git("add", ".");
    scene.git("commit", "-qm", "scripts");
    expect((await scene.signalbox("init", "--yes")).exit).toBe(4);
    const before = readConfig(scene);
    expect(before).toMatch(/^# When init tried test .* here on \d{4}-\d\d-\d\d, it could not run: .*no-such-runner/m);
    write("node -e 0");
    scene.git("commit", "-qam", "cured");
    const cured = await scene.signalbox("init", "--yes");
    expect(cured.exit).toBe(0);
    expect(cured.out).toContain("rewrote .signalbox/config.yaml, which had no manual changes");
    expect(cured.out).toContain('next: signalbox run "<what you want>"');
    expect(parse(readConfig(scene)).commands).toEqual({ test: "npm run test" });
    expect(readConfig(scene)).not.toContain("When init tried");
    expect((await scene.signalbox("init", "--yes")).out).toContain("kept the existing .signalbox/config.yaml");
  });

  test("keeps a file that was edited since, and prints the change to make by hand", async () => {
    const scene = makeScene();
    const write = (test: string, lint: string) =>
      scene.put("package.json", JSON.stringify({ name: "x", scripts: { test, lint } }));
    write("node -e 0", "no-such-linter");
    scene.git("add", ".");
    scene.git("commit", "-qm", "scripts");
    await scene.signalbox("init", "--yes");
    const changed = `${readConfig(scene)}budget: 3\n`;
    scene.put(".signalbox/config.yaml", changed);
    write("node -e 0", "node -e 0");
    scene.git("commit", "-qam", "cured");
    const lacking = (await scene.signalbox("init", "--yes")).out.replaceAll(/\s+/g, " ");
    expect(lacking).toContain("the configuration was edited and has no lint; add under commands: lint: npm run lint");
    expect(readConfig(scene)).toBe(changed);
    scene.put(".signalbox/config.yaml", changed.replace("commands:\n", "commands:\n  lint: npm run lint\n"));
    const cured = (await scene.signalbox("init", "--yes")).out.replaceAll(/\s+/g, " ");
    expect(cured).toContain('it still says that checks could not run, but they can now; delete "# When init tried …"');
  });

  test("shows and tries the existing configuration on a second run instead of proposing a new one", async () => {
    const scene = makeScene();
    scene.put("package.json", PACKAGE);
    scene.put(".signalbox/config.yaml", "commands:\n  setup: echo mine\n  probe: node -e 0\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "configured");
    const { out } = await scene.signalbox("init", "--yes");
    expect(out).toMatch(/set-up +echo mine +configured/);
    expect(out).toMatch(/✓ +probe .*passed/);
    expect(out).not.toContain("npm run test");
  });

  test("proposes a logged-in agent before the first one in the list, and shows the others", async () => {
    const bin = makeScene();
    for (const name of ["claude", "codex"]) {
      chmodSync(bin.put(`../bin/${name}`, "#!/bin/sh\necho 1.2.3\n"), 0o755);
    }
    const auth = bin.put("../codex/auth.json", '{ "OPENAI_API_KEY": "a-secret-value" }');
    const scene = makeScene({
      env: {
        SIGNALBOX_TRUST: "",
        PATH: `${join(bin.repo, "../bin")}:${process.env["PATH"]}`,
        CODEX_HOME: join(auth, ".."),
        CLAUDE_CONFIG_DIR: "/nowhere",
        ...{ ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "", CLAUDE_CODE_OAUTH_TOKEN: "", CODEX_API_KEY: "" },
      },
    });
    const { out } = await scene.signalbox("init", "--yes");
    expect(parse(readConfig(scene))).toMatchObject({ agents: { "*": { driver: "codex" } } });
    expect(readConfig(scene)).toContain('# "*": { driver: codex, instead: { driver: claude } }');
    expect(out).toMatch(/claude 1\.2\.3 +no login found\n +codex 1\.2\.3 +logged in with a key/);
    expect(out).not.toContain("a-secret-value");
    // Commented-out settings must be valid when they are uncommented.
    const uncommented = readConfig(scene).replaceAll(/^(\s*)# (?=reviewer|approvals|sandbox|budget|protected)/gm, "$1");
    scene.put(".signalbox/config.yaml", uncommented);
    const got = await scene.signalbox("config", "get", "--json");
    expect(got.exit, got.out).toBe(0);
    expect(got.out).toContain("migrations/**");
  });

  test("keeps the project's own prompts visible to git, also if an earlier version ignored them", async () => {
    const scene = makeScene();
    scene.put("package.json", JSON.stringify({ scripts: { test: "true" } }));
    const exclude = join(scene.repo, ".git/info/exclude");
    const listPrompts = () => scene.git("status", "--porcelain", "--untracked-files=all", "prompts");
    scene.put("prompts/b.md", "b\n");
    expect((await scene.signalbox("init", "--yes")).out).not.toContain("git no longer ignores");
    expect(listPrompts().trim()).toBe("?? prompts/b.md");
    writeFileSync(exclude, `${readFileSync(exclude, "utf8")}/prompts/\n/docs/docs_cache_state.yaml\n`);
    expect(listPrompts()).toBe("");
    expect((await scene.signalbox("init", "--yes")).out).toContain("git no longer ignores all of /prompts/");
    expect(listPrompts().trim()).toBe("?? prompts/b.md");
  });

  test("changes nothing on a second run", async () => {
    const scene = makeScene();
    await scene.signalbox("init", "--yes");
    const [config, exclude] = [readConfig(scene), readFileSync(join(scene.repo, ".git/info/exclude"), "utf8")];
    const again = JSON.parse((await scene.signalbox("init", "--yes", "--json")).out);
    expect(again).toMatchObject({ wrote: false, trusted: true });
    expect(readConfig(scene)).toBe(config);
    expect(readFileSync(join(scene.repo, ".git/info/exclude"), "utf8")).toBe(exclude);
  });

  test("keeps an existing configuration", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", "approvals: autonomous\n");
    await scene.signalbox("init", "--yes");
    expect(readConfig(scene)).toBe("approvals: autonomous\n");
  });

  test("writes nothing without a terminal and without --yes", async () => {
    const scene = makeScene();
    const refused = await scene.signalbox("init", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ code: "USAGE", hint: expect.stringContaining("--yes") });
    expect(scene.git("status", "--porcelain", "-uall")).toBe("");
  });
});

describe("doctor", () => {
  const check = (out: string, what: string) =>
    JSON.parse(out).checks.filter((each: { what: string }) => each.what === what);

  test("exits with 0 if a run could start", async () => {
    const scene = withProgram("codex", "codex-cli 1.2.3");
    scene.put("package.json", PACKAGE);
    const told = await scene.signalbox("doctor", "--json", "--trust");
    expect(told.exit, told.out).toBe(0);
    expect(check(told.out, "git")).toMatchObject([{ state: "fine", says: expect.stringMatching(/^\d+\.\d+/) }]);
    expect(check(told.out, "agents")).toContainEqual({
      what: "agents",
      state: "note",
      says: expect.stringMatching(/^codex 1\.2\.3 \(newer than the tested [\d.]+\), no login found$/),
      get: "codex login, or set CODEX_API_KEY",
    });
    expect(check(told.out, "checks")[1]).toMatchObject({ says: "test: npm run test  (package.json)" });
    expect(check(told.out, "database")).toMatchObject([{ state: "fine", says: "no runs yet" }]);
    const untrusted = await scene.signalbox("doctor", "--json");
    expect(untrusted.exit).toBe(4);
    expect(JSON.parse(untrusted.out)).toMatchObject({ ready: false, lacks: ["trust"] });
    expect(check(untrusted.out, "trust")).toMatchObject([{ state: "missing", get: "signalbox init" }]);
  });

  test("--checks tests only the checks: a missing agent is reported and does not change the exit code", async () => {
    const scene = makeScene();
    const agents = "agents: { '*': { driver: command, argv: [no-such-agent] } }\n";
    scene.put(".signalbox/config.yaml", `commands: { probe: node -e 0 }\n${agents}`);
    const told = await scene.signalbox("doctor", "--checks");
    expect(told.exit, told.out).toBe(0);
    expect(told.out).toContain("✓ every check can run here\n✗ not ready to start a run; missing: agents\n");
    expect((await scene.signalbox("doctor")).exit).toBe(4);
  });

  test("names each missing prerequisite with its fix command, and exits with 4", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", "agents: { '*': { driver: command, argv: [no-such-agent] } }\n");
    const told = await scene.signalbox("doctor", "--json");
    expect(told.exit).toBe(4);
    expect(check(told.out, "agents")[0]).toMatchObject({
      state: "missing",
      says: expect.stringContaining("no-such-agent"),
    });
  });

  test("reports a damaged database and an invalid configuration as problems and continues", async () => {
    const scene = makeScene();
    scene.put(".signalbox/signalbox.db", "this is no database at all, however long it may be\n".repeat(100));
    scene.put(".signalbox/config.yaml", "comands: {}\n");
    const told = await scene.signalbox("doctor", "--json");
    expect(told.exit).toBe(4);
    expect(check(told.out, "database")).toMatchObject([{ state: "missing" }]);
    expect(check(told.out, "configuration")[0].says).toContain('did you mean "commands"?');
  });

  test("reports a folder outside a repository and still checks the rest", async () => {
    const scene = makeScene();
    const told = await scene.signalbox("-C", "/", "doctor", "--json");
    expect(told.exit).toBe(4);
    expect(check(told.out, "repository")).toMatchObject([{ state: "missing" }]);
    expect(check(told.out, "sandbox")).toHaveLength(1);
  });
});

describe("without a command", () => {
  test("prints the current state and the next command", async () => {
    const scene = makeScene();
    expect(JSON.parse((await scene.signalbox("--json")).out)).toMatchObject({
      repository: scene.repo,
      newest: null,
      next: ["signalbox init", "signalbox demo"],
    });
    const parked = await scene.signalbox(
      "run",
      "small",
      "x",
      "--input",
      "finish=ask",
      "--agents",
      scene.agents,
      "--json",
    );
    const now = JSON.parse((await scene.signalbox("--json")).out);
    expect(now).toMatchObject({
      newest: { run: lastEvent(parked)["run"], status: "waiting" },
      questions: [{ title: "Keep it?" }],
    });
    expect(now.next[0]).toMatch(/^signalbox why /);
    expect(now.next[1]).toMatch(/^signalbox approve a-/);
    expect((await scene.signalbox()).out).toContain("◆ Keep it?");
  });
});
