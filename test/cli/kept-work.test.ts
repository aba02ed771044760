import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

const PIPELINE = `import { definePipeline, defineRole, upTo, valueRule } from "signalbox";
import { z } from "zod";

const writer = defineRole({ name: "writer", does: "Writes.", contract: z.object({ summary: z.string() }), writes: true });
const WROTE = valueRule({
  id: "WROTE",
  because: "something must have changed",
  judge: ({ changed }: { changed: readonly string[] }) => ({ passed: changed.length > 0 }),
});

export const patient = definePipeline(
  {
    name: "patient",
    about: "One file, and a second try after a while",
    version: 1,
    input: z.object({ request: z.string() }),
    dialect: "json",
    phases: [{ title: "1 Write", roles: [writer] }],
  },
  async ({ phase, agent, gate, commit }) => {
    phase("1 Write");
    const work = await agent(writer, {}, { retry: upTo(1, { baseMs: 2_000 }) });
    const wrote = await gate("wrote", [WROTE], { changed: work.changed, tree: work.after });
    await commit(work.after, { message: "chore: write", because: [wrote] });
    return { status: "done" };
  },
);
`;
const AGENTS = `agents:
  - role: writer
    attempt: 1
    do:
      - write: { path: a.txt, content: "hours of work\\n" }
      - misbehave: no-contract
    output: { summary: never said }
  - role: writer
    do: [{ run: "cat a.txt > seen.txt" }]
    output: { summary: wrote it }
`;

test("work of an attempt with an unreadable answer is in the next attempt's commit, also if the engine is killed in between", async () => {
  const scene = makeScene();
  scene.put(".signalbox/pipelines/patient.ts", PIPELINE);
  writeFileSync(scene.agents, AGENTS);
  const first = scene.start("run", "patient", "write", "--agents", scene.agents, "--json");
  const { run } = await first.heard("agent.retried");
  first.kill("SIGKILL");
  await first.ended;
  const { exit, err, events } = await scene.signalbox("resume", String(run), "--json");
  expect(exit, err).toBe(0);
  const branch = `signalbox/${run}`;
  expect(scene.git("show", `${branch}:a.txt`)).toBe("hours of work\n");
  expect(scene.git("show", `${branch}:seen.txt`)).toBe("hours of work\n");
  expect(events.filter(({ type }) => type === "agent.started")).toHaveLength(1);
});
