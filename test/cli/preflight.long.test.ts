import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type CommandEnd, lastEvent, makeScene, type Scene } from "./scene.ts";

const CONFIG = ".signalbox/config.yaml";
const hasDispatched = ({ events }: CommandEnd): boolean => events.some(({ type }) => type === "agent.started");

/** A scene without a declaration that no check is needed. */
const createSceneWithoutReason = (): Scene => makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
const startRun = (scene: Scene, pipeline: string, ...more: readonly string[]) =>
  scene.signalbox("run", pipeline, "x", "--agents", scene.agents, ...more);

describe("before the first dispatch", () => {
  test.each(["small", "ledger"])(
    "[A-21] %s: a check that cannot run exits with 4, its own output and the line to configure",
    async (pipeline) => {
      const scene = makeScene();
      scene.put("package.json", '{ "scripts": { "test": "xo-is-not-here" }, "devDependencies": { "xo": "*" } }');
      scene.git("add", ".");
      scene.git("commit", "-qm", "a package");
      scene.put(CONFIG, "commands:\n  setup: 'true'\n  test: npm run test\n");
      const ended = await startRun(scene, pipeline, "--approvals", "autonomous", "--json");
      expect(ended.exit).toBe(4);
      expect(hasDispatched(ended)).toBe(false);
      const last = lastEvent(ended);
      expect(last).toMatchObject({ type: "run.finished", status: "error", exit: 4 });
      expect(last["reason"]).toMatch(/xo-is-not-here: not found \(test: npm run test\)\. Nothing was dispatched\.$/);
      expect(last["next"]).toEqual([
        "xo-is-not-here is not installed in a clean checkout; a set-up installs it:",
        "commands:",
        "  setup: npm install --no-audit --no-fund",
        expect.stringMatching(/^full output: \.signalbox\/runs\/\S+\/spool\/\S+$/),
      ]);
      const run = String(last["run"]);
      for (const look of ["status", "why"]) {
        expect((await scene.signalbox(look, run)).out).toContain("  setup: npm install --no-audit --no-fund");
      }
      expect((await scene.signalbox("status", run)).out).toMatch(/✗ Preflight/);
    },
  );

  test("[A-21] a run prints each check while it tries it, and the result", async () => {
    const scene = makeScene();
    scene.put(
      CONFIG,
      "commands:\n  setup: 'true'\n  fine: 'true'\n  red: echo broken; exit 1\n  gone: not-there-at-all\n",
    );
    const { out, exit } = await startRun(scene, "small");
    expect(exit).toBe(4);
    expect(out).toMatch(/Preflight\n.*● set-up, fine, red, gone +on a clean checkout/);
    expect(out).toMatch(/✓ set-up +\S+ +true/);
    expect(out).toMatch(/✓ fine +\S+ +passed/);
    expect(out).toMatch(/▽ red +\S+ +red before: broken/);
    expect(out).toMatch(/⊘ gone +\S+ +could not run: .*not-there-at-all: not found/);
    const trial = await scene.signalbox("doctor", "--checks");
    expect(trial.exit).toBe(4);
    expect(trial.out).toMatch(/! +red +\S+ +red before any change: broken/);
    expect(trial.out).toMatch(/✗ +gone .*not-run/);
  });
});

describe("without any check", () => {
  test.each(["small", "ledger"])(
    "[A-24] an autonomous %s is refused, unless a reason is configured",
    async (pipeline) => {
      const scene = createSceneWithoutReason();
      const refused = await startRun(scene, pipeline, "--approvals", "autonomous", "--json");
      expect(refused.exit).toBe(4);
      expect(lastEvent(refused)).toMatchObject({ type: "error", code: "NO_CHECKS" });
      scene.put(CONFIG, "no-checks: only prose here\n");
      const explained = await scene.signalbox("config", "explain");
      expect(explained.out).toMatch(/no-checks +only prose here +\.signalbox\/config\.yaml/);
      const begun = await startRun(scene, pipeline, "--approvals", "autonomous", "--max-dispatches", "1", "--json");
      expect(begun.events[0]).toMatchObject({ type: "run.started", exempt: "only prose here" });
      expect(hasDispatched(begun)).toBe(true);
    },
  );

  test("[A-24] the person and the reason are in the end message, status, why and the reports", async () => {
    const scene = createSceneWithoutReason();
    scene.put(CONFIG, "no-checks: only prose here\n");
    const ended = await startRun(scene, "small");
    expect(ended.exit).toBe(0);
    const said = "no command of the project has judged it: only prose here (stated by .signalbox/config.yaml)";
    expect(ended.out).toContain(`caveat: ${said}`);
    for (const look of ["status", "why", "report"]) expect((await scene.signalbox(look)).out).toContain(said);
    const report = await scene.signalbox("report", "--reporter", "json");
    expect(JSON.parse(report.out)).toMatchObject({ caveats: [said], exempt: "only prose here" });
  });

  test("[A-24] an interactive run without a terminal suspends with 3, and continues once a person approves", async () => {
    const scene = createSceneWithoutReason();
    const parked = await startRun(scene, "small", "--json");
    expect(parked.exit).toBe(3);
    expect(hasDispatched(parked)).toBe(false);
    const asked = parked.events.find(({ type }) => type === "approval.requested");
    const answer = ["--choose", "go on", "--note", "a toy"];
    expect((await scene.signalbox("approve", String(asked?.["approval"]), ...answer)).exit).toBe(0);
    const resumed = await scene.signalbox("resume", String(asked?.["run"]), "--json");
    expect(resumed.exit).toBe(0);
    expect(lastEvent(resumed)["caveats"]).toEqual([expect.stringMatching(/a toy \(stated by .+\)$/)]);
  });
});

test("[A-24] claims that evidence cannot decide are listed in a question, in autonomous runs too", async () => {
  const scene = makeScene();
  scene.put(CONFIG, "commands:\n  test: exit 1\n");
  const parked = await startRun(scene, "small", "--approvals", "autonomous", "--json");
  expect(parked.exit).toBe(3);
  const inbox = await scene.signalbox("inbox");
  expect(inbox.out).toMatch(/test was red before and still is.*: commit all the same\?/);
  expect(inbox.out).toContain("test was red before and still is; it reports no test names, so it proves nothing");
  const asked = parked.events.find(({ type }) => type === "approval.requested");
  await scene.signalbox("approve", String(asked?.["approval"]), "--choose", "accept", "--note", "known");
  const resumed = await scene.signalbox("resume", String(asked?.["run"]));
  expect(resumed.out).toMatch(/caveat: .*test was red before/);
});

test("a failed part of the setup disables only the checks that need it, and both are reported", async () => {
  const bin = mkdtempSync(join(tmpdir(), "preflight-bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  writeFileSync(join(bin, "uv"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const scene = makeScene({ env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` } });
  scene.put("package.json", JSON.stringify({ name: "x", version: "1.0.0", scripts: { lint: "echo fine" } }));
  scene.put(
    CONFIG,
    "commands:\n  setup: uv sync && npm install --no-audit --no-fund\n  lint: npm run lint\n  test: .venv/bin/python -m pytest\n",
  );
  scene.git("add", ".");
  scene.git("commit", "-qm", "two parts");
  const ended = await startRun(scene, "small", "--json");
  expect(ended.exit).toBe(4);
  const seen = ended.events.filter(({ type }) => type === "evidence.recorded");
  expect(seen.map(({ check, outcome }) => [check, outcome])).toEqual([
    ["lint", "passed"],
    ["test", "not-run"],
  ]);
  expect(lastEvent(ended)["reason"]).toMatch(/test could not be run: the set-up failed .* in its part `uv sync/);
});
