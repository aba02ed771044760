import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const scene = makeScene();
const runSmall = (then: string, ...more: readonly string[]) =>
  scene.signalbox("run", "small", "write it", "--input", `finish=${then}`, "--agents", scene.agents, "--json", ...more);

describe("exit codes and statuses", () => {
  test("a finished run commits on its own branch and exits with 0", async () => {
    const before = scene.git("status", "--porcelain");
    const ended = await runSmall("done");
    expect(ended.exit).toBe(0);
    const last = lastEvent(ended);
    expect(last).toMatchObject({ type: "run.finished", status: "done", exit: 0, confidence: "medium" });
    expect(last["caveats"]).toEqual([
      expect.stringContaining("nothing is checked here (stated by SIGNALBOX_NO_CHECKS)"),
    ]);
    expect(scene.git("show", `signalbox/${String(last["run"])}:a.txt`)).toBe("written\n");
    expect(scene.git("status", "--porcelain")).toBe(before);
  });

  test("the printed events are the journal's records in order, without ledger rows", async () => {
    const { events } = await runSmall("done");
    expect(events.map((event) => event["seq"])).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ v: 1, seq: 1, type: "run.started", pipeline: "small" });
    expect(events.every((event) => typeof event["chain"] === "string" && !("rows" in event))).toBe(true);
    const types = new Set(events.map((event) => event.type));
    for (const type of ["step.started", "agent.started", "agent.finished", "claim.recorded", "gate.evaluated"]) {
      expect(types).toContain(type);
    }
  });

  test.each([
    ["error", 1],
    ["blocked", 3],
    ["stalled", 3],
  ])("a pipeline that ends as %s exits with %i", async (then, exit) => {
    const ended = await runSmall(then);
    expect(ended.exit).toBe(exit);
    expect(lastEvent(ended)).toMatchObject({
      type: "run.finished",
      status: then,
      exit,
      reason: `asked to end as ${then}`,
    });
  });

  test("a pipeline that ends on a loop limit exits with 5", async () => {
    const ended = await runSmall("limit");
    expect(ended.exit).toBe(5);
    expect(lastEvent(ended)).toMatchObject({ type: "run.finished", exit: 5 });
  });

  test("confidence below the required minimum exits with 7, and with 0 if low is allowed", async () => {
    expect((await runSmall("low")).exit).toBe(7);
    expect((await runSmall("low", "--min-confidence", "low")).exit).toBe(0);
  });

  test("a permanent agent failure ends the run as error with 1", async () => {
    const script = join(scene.repo, "../failing.yaml");
    writeFileSync(script, "agents: [{ role: '*', do: [{ misbehave: 'exit:3' }] }]\n");
    const ended = await scene.signalbox("run", "small", "x", "--agents", script, "--json");
    expect(ended.exit).toBe(1);
    expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "error" });
  });

  test("a dispatch limit suspends with 5, and resume with a higher limit finishes the run", async () => {
    const ended = await runSmall("twice", "--max-dispatches", "1");
    expect(ended.exit).toBe(5);
    expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "budget", exit: 5 });
    const run = String(lastEvent(ended)["run"]);
    const resumed = await scene.signalbox("resume", run, "--max-dispatches", "9", "--json");
    expect(resumed.exit).toBe(0);
    expect(resumed.events.map((event) => event.type)).toContain("run.resumed");
  });

  test("a pause suspends with 3, and resume continues the run", async () => {
    const ended = await runSmall("pause");
    expect(ended.exit).toBe(3);
    expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "paused" });
    const resumed = await scene.signalbox("resume", String(lastEvent(ended)["run"]), "--json");
    expect(resumed.exit).toBe(0);
    expect(lastEvent(resumed)).toMatchObject({ type: "run.finished", status: "done" });
  });

  test("a pipeline bug suspends the run as broken with 1, and the last event names the rule", async () => {
    const ended = await runSmall("throw");
    expect(ended.exit).toBe(1);
    expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "broken", code: "BODY_THREW" });
  });
});

describe("signals", () => {
  const slow = join(scene.repo, "../slow.yaml");
  writeFileSync(slow, "agents: [{ role: writer, attempt: 1, do: [{ sleep: 120000 }], output: { summary: late } }]\n");

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s drains the run and exits with %i; resume finishes it", async (signal, exit) => {
    const talk = scene.start("run", "small", "x", "--agents", slow, "--json");
    await talk.heard("agent.started");
    talk.kill(signal);
    const ended = await talk.ended;
    expect(ended.exit).toBe(exit);
    expect(lastEvent(ended)).toMatchObject({ type: "run.suspended", status: "interrupted" });
    const run = String(lastEvent(ended)["run"]);
    const resumed = await scene.signalbox("resume", run, "--agents", scene.agents, "--json");
    expect(resumed.exit).toBe(0);
  });

  test("a run whose engine was killed is shown as stopped, and resume finishes it", async () => {
    const talk = scene.start("run", "small", "x", "--agents", slow, "--json");
    const run = String((await talk.heard("agent.started"))["run"]);
    talk.kill("SIGKILL");
    await talk.ended;
    const status = await scene.signalbox("status", run, "--json");
    expect(JSON.parse(status.out)).toMatchObject({ status: "stopped", next: [`signalbox resume ${run}`] });
    const resumed = await scene.signalbox("resume", run, "--agents", scene.agents, "--json");
    expect(resumed.exit).toBe(0);
  });

  test("cancel ends a run that another process drives; that process exits with 1", async () => {
    const talk = scene.start("run", "small", "x", "--agents", slow, "--json");
    const run = String((await talk.heard("agent.started"))["run"]);
    const canceled = await scene.signalbox("cancel", run, "--note", "changed my mind", "--json");
    expect(canceled.exit).toBe(0);
    expect(JSON.parse(canceled.out)).toMatchObject({ v: 1, run, status: "canceled" });
    const ended = await talk.ended;
    expect(ended.exit).toBe(1);
    expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "canceled" });
    expect(String(lastEvent(ended)["reason"])).toContain("changed my mind");
  });

  test("resume of a run that another process drives is refused with 6", async () => {
    const talk = scene.start("run", "small", "x", "--agents", slow, "--json");
    const run = String((await talk.heard("agent.started"))["run"]);
    const refused = await scene.signalbox("resume", run, "--json");
    expect(refused.exit).toBe(6);
    expect(lastEvent(refused)).toMatchObject({ type: "error", code: "RUN_OWNED" });
    talk.kill("SIGTERM");
    await talk.ended;
  });
});
