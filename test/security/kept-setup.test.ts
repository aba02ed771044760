import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findSandbox } from "../../src/processes/sandbox.ts";
import { lastEvent, makeScene, type Scene } from "../cli/scene.ts";

const PIPELINE = `import { definePipeline, defineRole } from "signalbox";
import { z } from "zod";

const writer = defineRole({ name: "writer", does: "Writes.", contract: z.object({ summary: z.string() }), writes: true });

export const judged = definePipeline(
  {
    name: "judged",
    about: "Work that the engine's checks judge",
    version: 1,
    input: z.object({ request: z.string() }),
    dialect: "json",
    phases: [{ title: "1 Write", roles: [writer] }],
    cap: 1,
  },
  async ({ phase, agent, check }) => {
    phase("1 Write");
    const work = await agent(writer, {});
    const { passed } = await check(work.after);
    return passed ? { status: "done", confidence: "high" } : { status: "error", reason: "the check is red" };
  },
);
`;

const CONFIG = `commands:
  setup: { run: sh setup.sh, lock-file: lock }
  test: sh tools/judge
`;

/** The set-up brings the program that judges: \`good\` work is green. */
function judgedScene(sandbox: string): Scene {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: sandbox } });
  scene.put(".signalbox/pipelines/judged.ts", PIPELINE);
  scene.put(".signalbox/config.yaml", CONFIG);
  scene.put("lock", "1\n");
  scene.put("setup.sh", "mkdir tools && echo 'grep -q good work.txt' > tools/judge\n");
  scene.put("work.txt", "good\n");
  scene.git("add", ".");
  scene.git("commit", "-qm", "a project");
  return scene;
}

async function endOf(scene: Scene, path: string, content: string): Promise<unknown> {
  const change = JSON.stringify({ write: { path, content } });
  writeFileSync(scene.agents, `agents:\n  - role: writer\n    do: [${change}]\n    output: { summary: s }\n`);
  const ended = await scene.signalbox("run", "judged", "x", "--agents", scene.agents, "--json");
  return lastEvent(ended)["status"];
}

const { name } = await findSandbox();

describe.each([
  { sandbox: "off", has: true },
  { sandbox: "required", has: name === "bubblewrap" },
])("[A-31] with sandbox $sandbox", ({ sandbox, has }) => {
  test.skipIf(!has)("a set-up that an agent changed makes no later work green", { timeout: 120_000 }, async () => {
    const scene = judgedScene(sandbox);
    await endOf(scene, "setup.sh", "mkdir tools && echo true > tools/judge\n");
    expect(await endOf(scene, "work.txt", "bad\n")).toBe("error");
    expect(await endOf(scene, "work.txt", "good again\n")).toBe("done");
  });
});
