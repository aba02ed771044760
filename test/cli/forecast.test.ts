import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

const renderScript = (usage: string) =>
  `agents: [{ role: writer, do: [{ write: { path: a.txt, content: x } }], output: { summary: s }${usage} }]`;

test("a forecast is the range of the durations of the pipeline's last finished runs", async () => {
  const scene = makeScene();
  const forecast = async () => {
    const dry = await scene.signalbox("run", "small", "x", "--dry-run", "--agents", scene.agents, "--json");
    return JSON.parse(dry.out).forecast;
  };
  expect(await forecast()).toBeNull();
  const cheap = scene.put("../cheap.yaml", renderScript(", usage: { usd: 0.5 }"));
  const dear = scene.put("../dear.yaml", renderScript(", usage: { usd: 2 }"));
  await scene.signalbox("run", "small", "x", "--agents", cheap);
  await scene.signalbox("run", "small", "x", "--agents", dear);
  await scene.signalbox("run", "small", "x", "--agents", dear, "--input", "finish=error");
  expect(await forecast()).toMatchObject({
    runs: 2,
    dispatches: { least: 1, most: 1 },
    usd: { least: 0.5, most: 2 },
  });
  const silent = scene.put("../silent.yaml", renderScript(", usage: { inputTokens: 5 }"));
  const { out } = await scene.signalbox("run", "small", "x", "--agents", silent);
  expect(out).toMatch(/forecast from the last 2 finished runs: 1 dispatch · .+ · \$0\.50–\$2\.00/);
  expect(await forecast()).toMatchObject({ runs: 3, usd: null });
});
