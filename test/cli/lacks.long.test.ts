import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN } from "../support/program.ts";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const CONFIG = ".signalbox/config.yaml";
const dryRun = (scene: Scene, ...more: readonly string[]) =>
  scene.signalbox("run", "small", "x", "--agents", scene.agents, "--dry-run", ...more);

/** A PATH with the programs that every run needs, and no language runtime except Node. */
function createBarePath(scene: Scene): string {
  const bin = join(scene.repo, "../bin");
  const places = ["git", "sh", "env", "bwrap"].flatMap((name) => {
    try {
      return [execFileSync("which", [name], { encoding: "utf8" }).trim()];
    } catch {
      return [];
    }
  });
  execFileSync("mkdir", ["-p", bin]);
  execFileSync("ln", ["-s", ...places, process.execPath, bin]);
  return bin;
}

describe("the command line", () => {
  test("an unknown role is refused with the nearest name", async () => {
    const scene = makeScene();
    const refused = await dryRun(scene, "--agent", "writter=mailbox", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({
      code: "USAGE",
      message: 'small has no role "writter". Did you mean "writer"?',
    });
  });

  test("an unknown input is refused with the nearest name", async () => {
    const refused = await dryRun(makeScene(), "--input", "finnish=low", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)["message"]).toBe('small has no input "finnish". Did you mean "finish"?');
  });

  test("a ticket without an id is refused before a run exists", async () => {
    const scene = makeScene();
    for (const dryly of [[], ["--dry-run"]]) {
      const flags = ["--agents", scene.agents, "--json", ...dryly];
      const refused = await scene.signalbox("run", "ticket", "make it better", ...flags);
      expect(refused.exit).toBe(2);
      expect(lastEvent(refused)).toMatchObject({ type: "error", code: "INPUT_INVALID" });
      expect(lastEvent(refused)["message"]).toContain("--input ticket=ABC-123");
    }
  });

  test("the request `-` is read from standard input, and empty input is refused", () => {
    const { repo, agents, env } = makeScene();
    const line = [BIN, "-C", repo, "run", "small", "-", "--agents", agents, "--json"];
    const runWithInput = (input: string) => spawnSync(process.execPath, line, { input, env, encoding: "utf8" });
    const [started = ""] = runWithInput("Make it\nbetter\n").stdout.split("\n");
    expect(JSON.parse(started)).toMatchObject({ type: "run.started", input: { request: "Make it\nbetter" } });
    const empty = runWithInput(" \n");
    expect([empty.status, JSON.parse(empty.stdout)["code"]]).toEqual([2, "USAGE"]);
  });
});

describe("the prerequisites of a run", () => {
  test("uncommitted work is reported and does not block the run", async () => {
    const scene = makeScene();
    scene.put("README.md", "# changed\n");
    scene.put("new.txt", "x\n");
    expect((await dryRun(scene)).out).toContain("2 uncommitted changes (README.md, new.txt)");
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents);
    expect(ended.exit).toBe(0);
    expect(ended.out).toContain("! 2 uncommitted changes (README.md, new.txt); a run starts from the last commit");
  });

  test("a command that the pipeline requires is named with the configuration line that adds it", async () => {
    const scene = makeScene();
    scene.put(CONFIG, "commands:\n  test: 'true'\n");
    const phases = ["run", "phases", "x", "--agents", scene.agents, "--dry-run"];
    const says = "phases needs a command named build, which is not configured";
    expect((await scene.signalbox(...phases)).out).toContain(says);
    expect((await scene.signalbox("doctor")).out).toContain(says);
    expect((await dryRun(scene)).out).not.toContain(says);
    scene.put(CONFIG, "no-checks: prose only\n");
    expect((await scene.signalbox(...phases)).out).toContain(says);
    scene.put(
      CONFIG,
      "commands:\n  test: 'true'\npipelines:\n  phases:\n    policy: { build_gate: { accept_not_available: true } }\n",
    );
    expect((await scene.signalbox(...phases)).out).not.toContain(says);
  });

  test("a dry run refuses an invalid policy too", async () => {
    const scene = makeScene();
    scene.put(CONFIG, "pipelines:\n  phases:\n    policy: { retry_budgets: { transient_max: many } }\n");
    const refused = await scene.signalbox("run", "phases", "x", "--agents", scene.agents, "--dry-run", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)["message"]).toMatch(/Invalid policy for phases: retry_budgets\.transient_max/);
  });

  test("a language runtime that is not installed is reported by init, doctor, a dry run and a run before anything starts", async () => {
    const made = makeScene();
    const scene = makeScene({ env: { PATH: createBarePath(made), SIGNALBOX_NO_CHECKS: "" } });
    scene.put("go.mod", "module a\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "go");
    const get = "install go as https://go.dev/doc/install says";
    const set = await scene.signalbox("init", "--yes");
    expect(set.exit, set.out + set.err).toBe(4);
    expect(set.out).toContain(get);
    expect(set.out).not.toContain("trying");
    expect((await scene.signalbox("doctor")).out).toContain(get);
    expect((await dryRun(scene)).out).toContain(get);
    const refused = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)).toMatchObject({
      type: "error",
      code: "PROGRAM_MISSING",
      hint: expect.stringContaining(get),
    });
  });

  test("a repository without checks is not sent to init again", async () => {
    const scene = makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
    const set = await scene.signalbox("init", "--yes");
    const line = "`test: <command>`, under commands: in .signalbox/config.yaml";
    expect(set.out).toContain(line);
    const looked = (await scene.signalbox("doctor")).out;
    expect(looked).toContain(line);
    expect(looked).not.toContain("signalbox init");
    const refused = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--approvals", "autonomous");
    expect(refused.exit).toBe(4);
    expect(refused.err).not.toContain("init");
  });

  test("init accepts a configured reason why no check is needed", async () => {
    const scene = makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
    scene.put(CONFIG, "no-checks: prose only\n");
    const { out } = await scene.signalbox("init", "--yes");
    expect(out).toContain("kept the existing .signalbox/config.yaml");
    expect(out).not.toContain("no checks are configured");
  });

  test("declared tests that no check runs are reported by doctor, a dry run and a run", async () => {
    const scene = makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
    scene.put("package.json", JSON.stringify({ name: "x", scripts: { test: "node --test" } }));
    scene.put(CONFIG, "commands:\n  lint: node -e 0\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "tests");
    const says = "no check runs tests, but the project declares some (package.json)";
    const line = "under commands: in .signalbox/config.yaml: test: npm run test";
    const run = ["run", "small", "x", "--agents", scene.agents];
    for (const args of [["doctor"], [...run, "--dry-run"], [...run, "--trust"]]) {
      const { out } = await scene.signalbox(...args);
      expect(out, args.join(" ")).toContain(says);
      expect(out, args.join(" ")).toContain(line);
    }
    scene.put(CONFIG, "commands:\n  unit: node --test\n");
    expect((await scene.signalbox("doctor")).out).not.toContain(says);
  });

  test("project files that are found but not supported are reported", async () => {
    const scene = makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
    scene.put("mix.exs", "");
    expect((await scene.signalbox("doctor")).out).toContain("mix.exs (Elixir): it is not supported");
    expect((await scene.signalbox("init", "--yes")).out).toContain("mix.exs (Elixir): it is not supported");
  });
});
