import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeScene, type Scene } from "./scene.ts";

/** A repository whose only check cannot run anywhere. */
function createUnfitScene(): Scene {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", "commands: { probe: no-such-program }\n");
  return scene;
}

const listTrials = ({ repo }: Scene): readonly string[] => readdirSync(join(repo, ".signalbox/trials"));

describe("a trial of failing checks", () => {
  test("is not a run: its output is stored, and every command still works", async () => {
    const scene = createUnfitScene();
    const { out, exit } = await scene.signalbox("doctor", "--checks");
    expect(exit, out).toBe(4);
    const printed = /full output: (\S+)/.exec(out)?.[1] ?? "";
    expect(printed).toMatch(/^\.signalbox\/trials\//);
    expect(existsSync(join(scene.repo, printed))).toBe(true);
    expect(existsSync(join(scene.repo, ".signalbox/runs"))).toBe(false);
    expect(scene.git("status", "--porcelain", "--", ".signalbox/trials")).toBe("");
    for (const args of [["ps"], ["gc", "--dry-run"], []]) {
      const ended = await scene.signalbox(...args);
      expect(ended.exit, `${args.join(" ")}: ${ended.err}`).toBe(0);
    }
    scene.put(".signalbox/config.yaml", "commands: { probe: node -e 0 }\n");
    const run = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(run.exit, run.err).toBe(0);
    expect((await scene.signalbox("ps")).exit).toBe(0);
  });

  test("keeps the output of a running trial, and removes that of a finished one", async () => {
    const scene = createUnfitScene();
    const others = join(scene.repo, ".signalbox/trials", `${process.pid}-of-somebody`);
    mkdirSync(others, { recursive: true });
    await scene.signalbox("doctor", "--checks");
    const first = listTrials(scene);
    await scene.signalbox("doctor", "--checks");
    const second = listTrials(scene);
    expect([first.length, second.length]).toEqual([2, 2]);
    expect(first.filter((name) => second.includes(name))).toEqual([`${process.pid}-of-somebody`]);
  });

  test("in the runs folder of an earlier version is not reported as a lost run", async () => {
    const scene = makeScene();
    mkdirSync(join(scene.repo, ".signalbox/runs/checks/spool"), { recursive: true });
    expect((await scene.signalbox("ps")).exit).toBe(0);
    const lost = join(scene.repo, ".signalbox/runs/20260101-120000-abc123/spool");
    mkdirSync(lost, { recursive: true });
    expect((await scene.signalbox("ps")).exit).toBe(65);
  });
});

describe("init exits with 4", () => {
  test("if no detected check can run, or a configured one cannot", async () => {
    const scene = makeScene();
    scene.put("package.json", JSON.stringify({ name: "x", scripts: { test: "no-such-program" } }));
    scene.git("add", ".");
    scene.git("commit", "-qm", "scripts");
    const found = await scene.signalbox("init", "--yes");
    expect(found.exit, found.out).toBe(4);
    const configured = await createUnfitScene().signalbox("init", "--yes");
    expect(configured.exit, configured.out).toBe(4);
  });
});

describe("fixing a check that cannot run", () => {
  test("takes the printed fix and a second init, and trust is not asked for again", async () => {
    const scene = makeScene({ env: { SIGNALBOX_TRUST: "", SIGNALBOX_NO_CHECKS: "" } });
    scene.put("package.json", JSON.stringify({ name: "x", scripts: { test: 'test -n "$PROXY" || no-such-program' } }));
    scene.git("add", ".");
    scene.git("commit", "-qm", "scripts");
    const first = await scene.signalbox("init", "--yes");
    expect(first.out).toContain("next: apply the fixes above for test, then run signalbox init");
    scene.put(".signalbox/config.local.yaml", "environment: { checks: { set: { PROXY: here } } }\n");
    const untried = await scene.signalbox("doctor", "--checks");
    expect(untried.out).toContain("`signalbox init --yes`, or --trust for this call");
    const second = await scene.signalbox("init", "--yes");
    expect(second.exit, second.out).toBe(0);
    expect(second.out).toMatch(/✓ +test .*passed/);
    const ready = await scene.signalbox("doctor", "--checks");
    expect(ready.exit, ready.out).toBe(0);
    expect(ready.out).not.toContain("2 files and 1 command not trusted yet");
  });
});
