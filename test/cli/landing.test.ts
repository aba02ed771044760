import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

async function done(scene: Scene): Promise<string> {
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(ended.exit, ended.out).toBe(0);
  return String(lastEvent(ended)["run"]);
}
const branch = (run: string): string => `refs/heads/signalbox/${run}`;

describe("land", () => {
  test("takes the work onto the branch and into the checkout; a second time changes nothing", async () => {
    const scene = makeScene();
    const run = await done(scene);
    const landed = JSON.parse((await scene.signalbox("land", run, "--json")).out);
    expect(landed).toMatchObject({ run, status: "landed", by: "fast-forward", branch: "main", paths: ["a.txt"] });
    expect(scene.git("rev-parse", "main").trim()).toBe(landed.commit);
    expect(readFileSync(join(scene.repo, "a.txt"), "utf8")).toBe("written\n");
    expect(scene.git("status", "--porcelain")).toBe("");
    expect(JSON.parse((await scene.signalbox("land", run, "--json")).out)).toMatchObject({ status: "already" });
  });

  test("says what was done and how to undo it", async () => {
    const scene = makeScene();
    const run = await done(scene);
    const { out } = await scene.signalbox("land", run);
    expect(out).toMatch(
      new RegExp(`^✓ ${run} landed on main by moving it forward: [0-9a-f]{10} → [0-9a-f]{10}, 1 file\\n`),
    );
    expect(out).toContain(`undo: signalbox revert ${run}`);
  });

  test("a run that waits, and one without a commit, are refused with the next step", async () => {
    const scene = makeScene();
    const flags = ["--agents", scene.agents, "--json"];
    const parked = lastEvent(await scene.signalbox("run", "small", "x", "--input", "finish=ask", ...flags));
    const failed = lastEvent(await scene.signalbox("run", "small", "x", "--input", "finish=error", ...flags));
    for (const [run, says] of [
      [parked, "has not ended"],
      [failed, "made no commit"],
    ] as const) {
      const refused = await scene.signalbox("land", String(run["run"]), "--json");
      expect(refused.exit).toBe(4);
      expect(lastEvent(refused)).toMatchObject({ code: "LAND_REFUSED", message: expect.stringContaining(says) });
      expect(lastEvent(refused)["hint"]).toContain("signalbox status");
    }
  });

  test("a conflict moves nothing and names the paths", async () => {
    const scene = makeScene();
    const run = await done(scene);
    scene.put("a.txt", "mine\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "mine");
    const before = scene.git("rev-parse", "main");
    const refused = await scene.signalbox("land", run, "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)["message"]).toContain("a.txt");
    expect(lastEvent(refused)["hint"]).toContain("git merge");
    expect(scene.git("rev-parse", "main")).toBe(before);
  });
});

describe("revert", () => {
  test("takes back exactly what was landed", async () => {
    const scene = makeScene();
    const run = await done(scene);
    await scene.signalbox("land", run);
    const reverted = JSON.parse((await scene.signalbox("revert", run, "--json")).out);
    expect(reverted).toMatchObject({ status: "reverted", branch: "main", paths: ["a.txt"] });
    expect(scene.git("diff", "--name-only", "HEAD~2", "HEAD")).toBe("");
    expect(JSON.parse((await scene.signalbox("revert", run, "--json")).out)).toMatchObject({ status: "already" });
  });

  test("work that never landed is refused, with what would give it up", async () => {
    const scene = makeScene();
    const run = await done(scene);
    const refused = await scene.signalbox("revert", run, "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)["hint"]).toContain(`git branch -D signalbox/${run}`);
    expect(scene.git("rev-parse", "--verify", branch(run))).toMatch(/^[0-9a-f]{40}/);
  });
});

describe("gc", () => {
  test("shows sizes, removes only after a yes, and never work that is nowhere else", async () => {
    const scene = makeScene();
    const [landed, loose] = [await done(scene), await done(scene)];
    await scene.signalbox("land", landed);
    const shown = JSON.parse((await scene.signalbox("gc", "--dry-run", "--json")).out);
    expect(shown).toMatchObject({ dryRun: true, runs: [{ run: loose }, { run: landed }] });
    expect(shown.removed).toContain(branch(landed));
    expect(scene.git("rev-parse", "--verify", branch(landed))).toMatch(/^[0-9a-f]{40}/);
    const refused = await scene.signalbox("gc");
    expect(refused.exit).toBe(2);
    expect(refused.err).toContain("--yes");
    const gone = JSON.parse((await scene.signalbox("gc", "--yes", "--json")).out);
    expect(gone.removed).toEqual(shown.removed);
    expect(() => scene.git("rev-parse", "--verify", "--quiet", branch(landed))).toThrow();
    expect(scene.git("show", `${branch(loose)}:a.txt`)).toBe("written\n");
    expect((await scene.signalbox("land", loose, "--json")).exit).toBe(0);
  });

  test("where nothing was run there is nothing to remove", async () => {
    expect((await makeScene().signalbox("gc")).out).toContain("no runs here");
  });
});
