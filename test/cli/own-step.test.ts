import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const PIPELINE = `
import { definePipeline } from "signalbox";
import { z } from "zod";

export const teller = definePipeline(
  { name: "teller", does: "Reads a ticket", input: z.object({ request: z.string() }), phases: [{ title: "1 Tell" }] },
  async ({ input, phase, act }) => {
    phase("1 Tell");
    const ticket = await act("read the ticket", async ({ key, signal }) => {
      const answer = await fetch("data:application/json," + JSON.stringify({ title: input.request }), { signal });
      return { ...(await answer.json()), key };
    });
    return { status: "done", reason: ticket.title };
  },
);
`;

test("a step defined in a repository's pipeline has its name in every view of the run", async () => {
  const scene = makeScene();
  scene.put(".signalbox/pipelines/teller.ts", PIPELINE);
  const end = lastEvent(await scene.signalbox("run", "teller", "Find me", "--approvals", "autonomous", "--json"));
  expect(end).toMatchObject({ type: "run.finished", status: "done", reason: "Find me" });
  const run = String(end["run"]);
  const [events, status, report] = await Promise.all([
    scene.signalbox("events", run),
    scene.signalbox("status", run),
    scene.signalbox("report", run),
  ]);
  expect(events.out).toMatch(/● read the ticket +a step of the pipeline/);
  expect(events.out).toMatch(/▪ read the ticket .*reported \{"title":"Find me"/);
  expect(status.out).toContain("steps of the pipeline");
  expect(report.out).toMatch(
    new RegExp(`## Steps of the pipeline[\\s\\S]*read the ticket .*claim.*title: Find me · key: ${run}-[0-9a-f]{16}`),
  );
  expect((await scene.signalbox("pipelines", "check", "teller")).exit).toBe(0);
});
