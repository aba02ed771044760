import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const HANGS = "agents: [{ role: writer, do: [{ misbehave: hang }] }]";

/** Starts a run whose one agent hangs, with its own engine. */
async function startHangingRun() {
  const scene = makeScene();
  const script = scene.put("../slow.yaml", HANGS);
  const talk = scene.start("run", "small", "x", "--agents", script, "--json");
  const started = await talk.heard("agent.started");
  return { scene, talk, run: String(started["run"]), effect: String(started["effect"]) };
}

test("a person stops one agent by its name: the attempt fails and records who stopped it", async () => {
  const { scene, talk, run } = await startHangingRun();
  const said = await scene.signalbox("stop", run, "writer", "--note", "it loops", "--json");
  expect(said.exit).toBe(0);
  const { outcome, failure } = JSON.parse(said.out);
  expect(outcome).toBe("failed");
  expect(failure).toMatchObject({ class: "canceled", code: "stopped" });
  expect(failure.message).toMatch(/^stopped by .+: it loops$/);
  expect(lastEvent(await talk.ended)).toMatchObject({ type: "run.finished", status: "error" });
  const late = await scene.signalbox("stop", run, "writer");
  expect(late.exit).toBe(2);
  expect(late.err).toContain(" ended at ");
});

test("an agent is selected by name, step or effect; an unknown name lists the running agents", async () => {
  const { scene, talk, run, effect } = await startHangingRun();
  const unknown = await scene.signalbox("stop", run, "nobody");
  expect(unknown.exit).toBe(2);
  expect(unknown.err).toContain("Running:");
  expect((await scene.signalbox("stop", run, effect)).out).toContain("writer stopped by");
  await talk.ended;
});

test("pausing suspends a run and terminates its agent; a second pause is refused, and resume continues it", async () => {
  const { scene, talk, run } = await startHangingRun();
  const paused = await scene.signalbox("pause", run, "--note", "lunch", "--json");
  expect(JSON.parse(paused.out)).toMatchObject({
    status: "paused",
    reason: expect.stringMatching(/^paused by .+: lunch$/),
  });
  const rested = await talk.ended;
  expect(rested.exit).toBe(3);
  expect(lastEvent(rested)).toMatchObject({ type: "run.suspended", status: "paused" });
  const status = JSON.parse((await scene.signalbox("status", run, "--json")).out);
  expect(status).toMatchObject({ status: "paused", state: "paused", waitsFor: { needs: "you, to resume the run" } });
  for (const again of [await scene.signalbox("pause", run), await scene.signalbox("stop", run, "writer")]) {
    expect(again.exit).toBe(2);
  }
  expect((await scene.signalbox("pause", run)).err).toContain("has no running engine");
  expect((await scene.signalbox("stop", run, "writer")).err).toContain("is no longer running: it was interrupted at");
  const resumed = await scene.signalbox("resume", run, "--agents", scene.agents, "--json");
  expect(lastEvent(resumed)).toMatchObject({ type: "run.finished", status: "done" });
  expect((await scene.signalbox("pause", run)).err).toContain(" ended at ");
});
