import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

async function finishRun(scene: Scene): Promise<string> {
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(ended.exit, ended.out).toBe(0);
  return String(lastEvent(ended)["run"]);
}
const branch = (run: string): string => `refs/heads/signalbox/${run}`;

describe("land", () => {
  test("moves the work to the branch and the checkout; a second call changes nothing", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    const landed = JSON.parse((await scene.signalbox("land", run, "--json")).out);
    expect(landed).toMatchObject({ run, status: "landed", by: "fast-forward", branch: "main", paths: ["a.txt"] });
    expect(scene.git("rev-parse", "main").trim()).toBe(landed.commit);
    expect(readFileSync(join(scene.repo, "a.txt"), "utf8")).toBe("written\n");
    expect(scene.git("status", "--porcelain")).toBe("");
    expect(JSON.parse((await scene.signalbox("land", run, "--json")).out)).toMatchObject({ status: "already" });
    for (const look of ["status", "why"])
      expect((await scene.signalbox(look, run)).out).not.toContain("signalbox land");
    expect((await scene.signalbox("status", run)).out).toContain("landed on your branch");
  });

  test("reports what was done and how to undo it", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    const { out } = await scene.signalbox("land", run);
    expect(out).toMatch(new RegExp(`^✓ ${run} landed on main by fast-forward: [0-9a-f]{10} → [0-9a-f]{10}, 1 file\\n`));
    expect(out).toContain(`undo: signalbox revert ${run}`);
    expect(out).not.toContain("checked by nobody");
  });

  test("reports that a merge result was not checked", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    scene.put("mine.txt", "mine\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "mine");
    const { out } = await scene.signalbox("land", run);
    expect(out).toContain("with a merge commit");
    expect(out).toContain("the merge result was not checked");
  });

  test("commits that the run started from are landed only with a flag, and are named", async () => {
    const scene = makeScene();
    const main = scene.git("rev-parse", "main").trim();
    scene.git("switch", "-qc", "flaky");
    scene.put("flaky.txt", "flaky\n");
    scene.git("add", "flaky.txt");
    scene.git("commit", "-qm", "Add a flaky test");
    const run = await finishRun(scene);
    scene.git("switch", "-qc", "feature", "main");
    const refused = await scene.signalbox("land", run, "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)).toMatchObject({ code: "LAND_REFUSED" });
    expect(lastEvent(refused)["message"]).toMatch(
      /on feature would also land 1 commit .*[0-9a-f]{10} Add a flaky test/s,
    );
    expect(lastEvent(refused)["hint"]).toContain(`signalbox land ${run} --with-base`);
    expect(scene.git("rev-parse", "feature").trim()).toBe(main);
    expect(existsSync(join(scene.repo, "flaky.txt"))).toBe(false);
    const [, pick = ""] = /`(git cherry-pick [0-9a-f ]+)`/.exec(String(lastEvent(refused)["hint"])) ?? [];
    scene.git(...pick.split(" ").slice(1));
    expect(scene.git("diff", "--name-only", "main", "feature").trim()).toBe("a.txt");

    scene.git("reset", "-q", "--hard", "main");
    const landed = await scene.signalbox("land", run, "--with-base");
    expect(landed.exit, landed.err).toBe(0);
    expect(landed.out).toMatch(/also 1 commit that the run started from.*\n +[0-9a-f]{10} Add a flaky test/);
    expect(scene.git("diff", "--name-only", "main", "feature").trim().split("\n")).toEqual(["a.txt", "flaky.txt"]);
  });

  test("does not ask on the branch that the run started from, whatever was committed there since", async () => {
    const scene = makeScene();
    scene.git("switch", "-qc", "flaky");
    scene.git("commit", "-q", "--allow-empty", "-m", "Before the run");
    const run = await finishRun(scene);
    scene.git("commit", "-q", "--allow-empty", "-m", "After the run");
    const landed = JSON.parse((await scene.signalbox("land", run, "--json")).out);
    expect(landed).toMatchObject({ status: "landed", by: "merge" });
    expect(landed).not.toHaveProperty("others");
  });

  test("a suspended run and one without a commit are refused with the next step", async () => {
    const scene = makeScene();
    const flags = ["--agents", scene.agents, "--json"];
    const parked = lastEvent(await scene.signalbox("run", "small", "x", "--input", "finish=ask", ...flags));
    const failed = lastEvent(await scene.signalbox("run", "small", "x", "--input", "finish=error", ...flags));
    for (const [run, says, exit, code] of [
      [parked, "has not ended", 4, "LAND_REFUSED"],
      [failed, "without a commit", 2, "NOTHING_TO_LAND"],
    ] as const) {
      const refused = await scene.signalbox("land", String(run["run"]), "--json");
      expect(refused.exit).toBe(exit);
      expect(lastEvent(refused)).toMatchObject({ code, message: expect.stringContaining(says) });
      expect(lastEvent(refused)["hint"]).toContain("signalbox status");
    }
  });

  test("a conflict moves nothing and names the paths", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
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

describe("unaccepted work", () => {
  const ended = async (scene: Scene, finish: string): Promise<string> => {
    const flags = ["--input", `finish=${finish}`, "--agents", scene.agents, "--json"];
    return String(lastEvent(await scene.signalbox("run", "small", "x", ...flags))["run"]);
  };

  test.each(["low", "limit", "blocked", "error"])("is listed and can be taken after an end as %s", async (finish) => {
    const scene = makeScene();
    const run = await ended(scene, finish);
    const status = JSON.parse((await scene.signalbox("status", run, "--json")).out);
    expect(status.work.unaccepted).toMatchObject({ tree: expect.stringMatching(/^[0-9a-f]{40}$/), by: "writer" });
    expect(status.next).toContain(`signalbox diff ${run}`);
    expect(status.next).toContain(`signalbox land ${run} --unaccepted`);
    expect((await scene.signalbox("why", run)).out).toContain("not accepted: tree ");
    expect((await scene.signalbox("diff", run)).out).toContain("+written");
    const refused = await scene.signalbox("land", run, "--json");
    expect(lastEvent(refused)).toMatchObject({ code: "NOTHING_TO_LAND" });
    expect(lastEvent(refused)["hint"]).toContain(`signalbox land ${run} --unaccepted`);
    const landed = JSON.parse((await scene.signalbox("land", run, "--unaccepted", "--json")).out);
    expect(landed).toMatchObject({ status: "landed", paths: ["a.txt"] });
    expect(scene.git("log", "-1", "--format=%B")).toMatch(
      /Unaccepted work of run .*: .*\n\nSignalbox-Unaccepted: taken by /,
    );
  });

  test("is continued by a new run with the exact command printed at the end", async () => {
    const scene = makeScene();
    const run = await ended(scene, "ask");
    const [asked] = JSON.parse((await scene.signalbox("inbox", "--json")).out).approvals;
    await scene.signalbox("reject", asked.approval, "--resume");
    const { next } = JSON.parse((await scene.signalbox("status", run, "--json")).out);
    const line = `signalbox run small --from "${run}:2 Decide" --agents ${scene.agents}`;
    expect(next).toContain(line);
    expect((await scene.signalbox("events", run)).out).toContain(line);
    const flags = ["--approvals", "autonomous", "--agents", scene.agents, "--json"];
    const again = await scene.signalbox("run", "small", "--from", `${run}:2 Decide`, ...flags);
    expect(lastEvent(again)).toMatchObject({ status: "done" });
  });

  test("is continued without agent flags if the configuration assigns the agents", async () => {
    const scene = makeScene();
    scene.put(".signalbox/config.yaml", 'agents:\n  "*": { driver: codex }\n');
    const run = await ended(scene, "ask");
    const [asked] = JSON.parse((await scene.signalbox("inbox", "--json")).out).approvals;
    await scene.signalbox("reject", asked.approval, "--resume");
    const { next } = JSON.parse((await scene.signalbox("status", run, "--json")).out);
    expect(next).toContain(`signalbox run small --from "${run}:2 Decide"`);
  });

  test("is landed once taken, is kept by gc, and can be reverted", async () => {
    const scene = makeScene();
    const run = await ended(scene, "low");
    await scene.signalbox("gc", "--yes");
    expect(JSON.parse((await scene.signalbox("land", "--unaccepted", "--json")).out)).toMatchObject({ run });
    const status = async () => JSON.parse((await scene.signalbox("status", run, "--json")).out);
    expect(await status()).toMatchObject({ because: "not sure; landed on your branch", next: [] });
    await scene.signalbox("gc", "--yes");
    expect(JSON.parse((await scene.signalbox("land", run, "--json")).out)).toMatchObject({ status: "already" });
    expect(JSON.parse((await scene.signalbox("revert", run, "--json")).out)).toMatchObject({ status: "reverted" });
    const { because, next } = await status();
    expect(because).toMatch(/reverted on your branch in [0-9a-f]{10}$/);
    expect(next).toEqual([expect.stringMatching(/^git revert [0-9a-f]{10} {2}# restores it$/)]);
  });

  test("[A-42] is not read from a forged ref of taken work", async () => {
    const scene = makeScene();
    const run = await ended(scene, "low");
    const message = `Take it\n\nSignalbox-Unaccepted: taken by Eve\nSignalbox-Run: ${run}`;
    const forged = scene.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", message).trim();
    const ref = `refs/signalbox/${run}/taken`;
    scene.git("update-ref", ref, forged);
    const before = scene.git("rev-parse", "main");
    const refused = lastEvent(await scene.signalbox("land", run, "--json"));
    expect(refused).toMatchObject({ code: "NOTHING_TO_LAND" });
    expect(lastEvent(await scene.signalbox("revert", run, "--json"))).toMatchObject({ code: "LAND_REFUSED" });
    const kept = JSON.parse((await scene.signalbox("gc", "--yes", "--json")).out).kept;
    expect(kept).toContainEqual(expect.objectContaining({ what: expect.stringContaining(`refs/signalbox/${run}/t/`) }));
    expect(scene.git("rev-parse", "main")).toBe(before);
    const landed = JSON.parse((await scene.signalbox("land", run, "--unaccepted", "--json")).out);
    expect(landed).toMatchObject({ status: "landed", paths: ["a.txt"] });
    expect(scene.git("rev-parse", ref).trim()).toBe(landed.commit);
    // Work that is on the branch is found there, whatever the ref points to.
    scene.git("update-ref", ref, forged);
    expect(JSON.parse((await scene.signalbox("land", run, "--json")).out)).toMatchObject({ status: "already" });
    expect(JSON.parse((await scene.signalbox("revert", run, "--json")).out)).toMatchObject({ status: "reverted" });
  });

  test("is empty if all work was committed", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    const refused = lastEvent(await scene.signalbox("land", run, "--unaccepted", "--json"));
    expect(refused).toMatchObject({ code: "NOTHING_TO_LAND", hint: expect.stringContaining(`signalbox land ${run}`) });
  });
});

describe("revert", () => {
  test("restores the state before the landing", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    await scene.signalbox("land", run);
    const reverted = JSON.parse((await scene.signalbox("revert", run, "--json")).out);
    expect(reverted).toMatchObject({ status: "reverted", branch: "main", paths: ["a.txt"] });
    expect(scene.git("diff", "--name-only", "HEAD~2", "HEAD")).toBe("");
    expect(JSON.parse((await scene.signalbox("revert", run, "--json")).out)).toMatchObject({ status: "already" });
  });

  test("work that was never landed is refused with the command that discards it", async () => {
    const scene = makeScene();
    const run = await finishRun(scene);
    const refused = await scene.signalbox("revert", run, "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)["hint"]).toContain(`git branch -D signalbox/${run}`);
    expect(scene.git("rev-parse", "--verify", branch(run))).toMatch(/^[0-9a-f]{40}/);
  });
});

describe("gc", () => {
  test("lists stored setups, removes them, and keeps those of other repositories unless requested", async () => {
    const scene = makeScene();
    await finishRun(scene);
    const keep = (name: string, runs: string): string => {
      scene.put(`../cache/signalbox/setups/${name}/manifest.json`, JSON.stringify({ runs }));
      return scene.put(`../cache/signalbox/setups/${name}/made/module.js`, "x".repeat(5_000));
    };
    const [own, other] = [
      keep("own", join(scene.repo, ".signalbox/runs")),
      keep("other", "/elsewhere/.signalbox/runs"),
    ];
    const shown = await scene.signalbox("gc", "--dry-run");
    expect(shown.out).toMatch(/cached set-ups 5.* of other repositories \(removed with --all-setups\)/);
    expect(existsSync(own)).toBe(true);
    const freed = JSON.parse((await scene.signalbox("gc", "--yes", "--json")).out);
    expect(freed.removed).toContain(dirname(dirname(own)));
    expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
    await scene.signalbox("gc", "--yes", "--all-setups");
    expect(existsSync(other)).toBe(false);
  });

  test("shows sizes, removes only after confirmation, and never deletes the only copy of work", async () => {
    const scene = makeScene();
    const [landed, loose] = [await finishRun(scene), await finishRun(scene)];
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

  test("a repository without runs has nothing to remove", async () => {
    expect((await makeScene().signalbox("gc")).out).toContain("No runs here");
  });
});
