import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const SCRIPT = `agents:
  - role: writer
    attempt: 1
    do:
      - write: { path: a.txt, content: "written by hand\\n" }
      - write: { path: b.bin, content: "/wD/", encoding: base64 }
      - delete: README.md
    output: { summary: write two files }
    usage: { usd: 0.5, inputTokens: 10, outputTokens: 5 }
`;

test("[U-18] a recorded run replays without its agents and ends with the same tree", async () => {
  const scene = makeScene();
  const script = scene.put("../live.yaml", SCRIPT);
  const tapes = join(scene.repo, "../tapes");
  const live = lastEvent(await scene.signalbox("run", "small", "x", "--agents", script, "--record", tapes, "--json"));
  expect(live).toMatchObject({ status: "done", exit: 0 });
  expect(readdirSync(tapes)).toHaveLength(1);
  expect(readFileSync(join(tapes, readdirSync(tapes)[0] ?? ""), "utf8")).toContain("{{nonce}}");
  rmSync(script);
  expect(existsSync(script)).toBe(false);
  const ended = await scene.signalbox("run", "small", "x", "--agents", tapes, "--json");
  const again = lastEvent(ended);
  expect(again).toMatchObject({ status: "done", exit: 0 });
  const readTree = (run: unknown) => scene.git("rev-parse", `signalbox/${String(run)}^{tree}`);
  expect(readTree(again["run"])).toBe(readTree(live["run"]));
  const finished = ended.events.find((event) => event.type === "agent.finished");
  expect(finished).toMatchObject({ usage: { usd: 0.5, inputTokens: 10, outputTokens: 5 } });
});

test("a failed attempt is recorded too, and fails again on replay", async () => {
  const scene = makeScene();
  const script = scene.put("../live.yaml", "agents: [{ role: writer, do: [{ misbehave: 429 }] }]");
  const tapes = join(scene.repo, "../tapes");
  await scene.signalbox("run", "small", "x", "--agents", script, "--record", tapes, "--json");
  const again = await scene.signalbox("run", "small", "x", "--agents", tapes, "--json");
  const finished = again.events.find((event) => event.type === "agent.finished");
  expect(finished).toMatchObject({ outcome: "failed", failure: { code: "agent_throttled" } });
});
