import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const AFTERWARDS = new Date(Date.now() + 60 * 60_000);

test("status shows how long an agent has been silent and its remaining time", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", "agent-silence: 40s\n");
  const slow = scene.put("../slow.yaml", "agents: [{ role: writer, do: [{ misbehave: hang }] }]");
  const talk = scene.start("run", "small", "x", "--agents", slow, "--json");
  await talk.heard("agent.started");
  const listAgents = async () => JSON.parse((await scene.signalbox("status", "--json")).out).agents;
  let seen = await listAgents();
  while (seen[0]?.silence === undefined) seen = await listAgents();
  const { forMs, leftMs } = seen[0].silence;
  expect(forMs + leftMs).toBe(40_000);
  expect(forMs).toBeGreaterThanOrEqual(0);
  // The agent worked without output, which restarts the silence timer.
  const spools = join(scene.repo, ".signalbox/runs", seen[0].effect.split("/")[0], "spool");
  const worked = join(spools, readdirSync(spools)[0] ?? "", "worked");
  writeFileSync(worked, "");
  utimesSync(worked, AFTERWARDS, AFTERWARDS);
  expect((await listAgents())[0].silence).toEqual({ forMs: 0, leftMs: 40_000 });
  talk.kill("SIGINT");
  expect(lastEvent(await talk.ended)).toMatchObject({ type: "run.suspended", status: "interrupted" });
});
