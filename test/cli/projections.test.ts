import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const PIPELINE = `import { definePipeline } from "signalbox";
import { z } from "zod";

export const written = definePipeline(
  {
    name: "written",
    about: "Writes for people to read, and pauses twice",
    version: 1,
    input: z.object({ request: z.string().optional() }),
    dialect: "json",
    phases: [{ title: "1 Write", roles: [] }],
    cap: 1,
  },
  async ({ phase, write, pause }) => {
    phase("1 Write");
    await write("plan.md", "first\\n");
    await write("plan.md", "the plan\\n");
    await write("notes/progress.yaml", "step: 1\\n", { to: "checkout" });
    await pause("look", {});
    await pause("look again", {});
    return { status: "done" };
  },
);
`;

test("[A-03] a deleted or changed projection is rebuilt from the journal when the run is resumed", async () => {
  const scene = makeScene();
  scene.put(".signalbox/pipelines/written.ts", PIPELINE);
  const run = String(lastEvent(await scene.signalbox("run", "written", "--json"))["run"]);
  const mirror = join(scene.repo, ".signalbox/runs", run, "artifacts/plan.md");
  const progress = join(scene.repo, "notes/progress.yaml");
  expect(readFileSync(mirror, "utf8")).toBe("the plan\n");
  rmSync(mirror);
  rmSync(progress);
  expect(lastEvent(await scene.signalbox("resume", run, "--json"))).toMatchObject({ status: "paused" });
  expect(readFileSync(mirror, "utf8")).toBe("the plan\n");
  expect(readFileSync(progress, "utf8")).toBe("step: 1\n");
  writeFileSync(mirror, "half a pl");
  await scene.signalbox("resume", run, "--json");
  expect(readFileSync(mirror, "utf8")).toBe("the plan\n");
});
