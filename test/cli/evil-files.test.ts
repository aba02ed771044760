import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const WORKFLOW = "on: push\njobs:\n  a:\n    steps:\n      - run: npm test\n";

/** An agent that leaves files which readers do not come to the end of by themselves. */
const AGENTS = `agents:
  - role: writer
    do:
      - write: { path: .github/workflows/ci.yml, content: "&a [*a,*a]" }
      - write: { path: data.yaml, content: '${'""'.repeat(60_000)}' }
      - write: { path: a.txt, content: "written\\n" }
    output: { summary: write a file }
`;

test("[H-01] a run in which an agent leaves evil files goes on to its end", async () => {
  const scene = makeScene();
  scene.put(".github/workflows/ci.yml", WORKFLOW);
  scene.git("add", "-A");
  scene.git("commit", "-qm", "with a workflow");
  const agents = scene.put("evil.agents.yaml", AGENTS);
  const ended = await scene.signalbox("run", "small", "x", "--agents", agents, "--json");
  expect([0, 1, 3]).toContain(ended.exit);
  expect(ended.events.map(({ type }) => type)).toContain("agent.finished");
});

test("[H-01] a run with evil files hears that it is to stop", async () => {
  const scene = makeScene();
  const agents = scene.put("evil.agents.yaml", AGENTS);
  const talk = scene.start("run", "small", "x", "--agents", agents, "--json");
  await talk.heard("agent.finished");
  talk.kill("SIGINT");
  const { exit } = await talk.ended;
  // Who is told late may have come to the end by then.
  expect([0, 1, 3, 130]).toContain(exit);
});

test("[H-14] a configuration of 200,000 keys is refused at once, with what to do", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", Array.from({ length: 200_000 }, (_, at) => `key${at}: 1\n`).join(""));
  for (const args of [
    ["agents", "list"],
    ["run", "small", "x", "--dry-run"],
  ]) {
    const refused = await scene.signalbox(...args, "--json");
    expect(lastEvent(refused)).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("too large"),
      hint: expect.stringContaining("Correct it"),
    });
  }
});

test("[H-14] a configuration that is nested or repeats itself is refused with its line", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", `sandbox: auto\nagents: ${"{a: ".repeat(500)}\n`);
  const nested = await scene.signalbox("agents", "list", "--json");
  expect(lastEvent(nested)["message"]).toContain("line 2: it is nested deeper than 64 levels");
});
