import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const SLOW = `agents: [{ role: writer, do: [{ sleep: 6000 }, { write: { path: a.txt, content: b } }], output: { summary: s } }]\n`;

const readSession = (pid: number): number =>
  Number(
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")[3],
  );

describe("a detached run", () => {
  test("returns at once, continues in its own session, and finishes unattended", async () => {
    const scene = makeScene();
    const agents = scene.put("../slow.yaml", SLOW);
    const started = await scene.signalbox("run", "small", "x", "--agents", agents, "--detach", "--json");
    expect(started.exit, started.out + started.err).toBe(0);
    const { run, pid, log } = JSON.parse(started.out);
    expect(readSession(pid)).toBe(pid);
    const again = await scene.signalbox("resume", run, "--detach", "--json");
    expect(again.exit, again.out + again.err).toBe(6);
    expect(again.out).toContain(`The run ${run} is already running under`);
    const followed = await scene.signalbox("events", run, "--follow", "--json");
    expect(followed.events[0]).toMatchObject({ type: "run.started", run });
    expect(lastEvent(followed)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
    expect(log).toBe(join(scene.repo, ".signalbox/runs", run, "engine.log"));
    expect(readFileSync(log, "utf8")).toContain("1 Write");
  });

  test("opens a question in the inbox, waits for the answer, and continues", async () => {
    const scene = makeScene();
    const flags = ["--input", "finish=ask", "--agents", scene.agents, "--detach"];
    const { out } = await scene.signalbox("run", "small", "x", ...flags);
    expect(out).toMatch(/runs in the background \(pid \d+\)\n {2}follow: signalbox events [a-z0-9-]+ --follow\n/);
    const run = / events ([a-z0-9-]+) --follow/.exec(out)?.[1] ?? "";
    const talk = scene.start("events", run, "--follow", "--json");
    const asked = await talk.heard("approval.requested");
    expect(JSON.parse((await scene.signalbox("inbox", "--json")).out).approvals).toMatchObject([
      { run, title: "Keep it?" },
    ]);
    // The run has an engine and is waiting.
    const { runs } = JSON.parse((await scene.signalbox("ps", "--json")).out);
    expect(runs).toMatchObject([{ run, status: "waiting", reason: "Keep it?" }]);
    const approved = await scene.signalbox("approve", String(asked["approval"]), "--json");
    expect(JSON.parse(approved.out)).toMatchObject({ next: "its engine continues automatically" });
    const ended = await talk.ended;
    expect(ended.events.some(({ type }) => type === "run.suspended")).toBe(false);
    expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done" });
  });

  test("[A-19] keeps the trust of the call that started it, and no other", async () => {
    const scene: Scene = makeScene({ env: { SIGNALBOX_TRUST: "" } });
    const started = await scene.signalbox(
      "run",
      "small",
      "x",
      "--agents",
      scene.agents,
      "--trust",
      "--detach",
      "--json",
    );
    expect(started.exit, started.out + started.err).toBe(0);
    const followed = await scene.signalbox("events", JSON.parse(started.out).run, "--follow", "--json");
    expect(lastEvent(followed)).toMatchObject({ type: "run.finished", status: "done" });
    expect((await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json")).exit).toBe(4);
  });
});

describe("a run forked from an earlier one", () => {
  test("reuses the steps recorded before the phase and dispatches only later ones", async () => {
    const scene = makeScene();
    const flags = ["--agents", scene.agents, "--json"];
    const failed = await scene.signalbox("run", "small", "x", "--input", "finish=pause", ...flags);
    const first = String(lastEvent(failed)["run"]);
    await scene.signalbox("cancel", first);
    const again = await scene.signalbox("run", "small", "--from", `${first}:2`, ...flags);
    expect(lastEvent(again)).toMatchObject({ type: "run.suspended", status: "paused" });
    const fresh = await scene.signalbox("resume", String(lastEvent(again)["run"]), "--json");
    expect(lastEvent(fresh)).toMatchObject({ type: "run.finished", status: "done", commit: expect.any(String) });
    const after = again.events.filter((event) => Number(event["seq"]) > findSeq(again.events, "engine.started"));
    expect(again.events[0]).toMatchObject({ type: "run.started", seq: 1 });
    expect(after.map((event) => event.type)).not.toContain("agent.started");
    expect(existsSync(join(scene.repo, "a.txt"))).toBe(false);
  });

  test.each([
    ["nope:2", "RUN_UNKNOWN", /ps/],
    ["RUN", "USAGE", /RUN:PHASE/],
    ["RUN:9", "USAGE", /1 Write, 2 Decide, 3 Never/],
    ["RUN:3", "INPUT_INVALID", /never reached/],
  ])("--from %s is refused with %s", async (from, code, helps) => {
    const scene = makeScene();
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    const asked = from.replace("RUN", String(lastEvent(ended)["run"]));
    const refused = await scene.signalbox("run", "small", "--from", asked, "--agents", scene.agents, "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ type: "error", code });
    expect(`${String(lastEvent(refused)["message"])} ${String(lastEvent(refused)["hint"])}`).toMatch(helps);
  });

  test("starts from the base commit of the earlier run, wherever the checkout is now, and says so", async () => {
    const scene = makeScene();
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    const began = scene.git("rev-parse", "HEAD").trim();
    scene.put("later.txt", "meanwhile\n");
    scene.git("add", ".");
    scene.git("commit", "-qm", "meanwhile");
    for (const phase of ["1", "2"]) {
      const from = ["--from", `${lastEvent(ended)["run"]}:${phase}`, "--agents", scene.agents];
      const said = `starts from ${began.slice(0, 10)}`;
      expect((await scene.signalbox("run", "small", ...from, "--dry-run")).out).toContain(said);
      const { out, exit } = await scene.signalbox("run", "small", ...from);
      expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining(said) });
      const commit = /signalbox\/[a-z0-9-]+/.exec(out)?.[0] ?? "";
      expect(scene.git("rev-parse", `${commit}^`).trim()).toBe(began);
      expect(scene.git("diff", "--name-only", began, commit).trim()).toBe("a.txt");
    }
  });

  test("a run whose base commit no longer exists is refused", async () => {
    const scene = makeScene();
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    const id = String(lastEvent(ended)["run"]);
    scene.git("commit", "-q", "--amend", "-m", "another beginning");
    for (const ref of scene
      .git("for-each-ref", "--format=%(refname)", "refs/signalbox", "refs/heads/signalbox")
      .split("\n"))
      if (ref) scene.git("update-ref", "-d", ref);
    scene.git("reflog", "expire", "--expire=now", "--all");
    scene.git("gc", "-q", "--prune=now");
    const refused = await scene.signalbox("run", "small", "--from", `${id}:2`, "--agents", scene.agents, "--json");
    expect(lastEvent(refused)).toMatchObject({
      code: "USAGE",
      message: expect.stringContaining("no longer exists in this repository"),
    });
  });

  test("a run of a different pipeline is refused", async () => {
    const scene = makeScene();
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    const from = `${String(lastEvent(ended)["run"])}:4`;
    const refused = await scene.signalbox("run", "ledger", "--from", from, "--agents", scene.agents, "--json");
    expect(lastEvent(refused)).toMatchObject({
      code: "USAGE",
      message: expect.stringContaining("belongs to pipeline small"),
    });
  });
});

function findSeq(events: readonly { readonly type: string; readonly [key: string]: unknown }[], type: string): number {
  return Number(events.find((event) => event.type === type)?.["seq"]);
}
