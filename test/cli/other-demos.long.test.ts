import { describe, expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const MINUTES = 60_000;

describe("the demo of a pipeline", () => {
  const scene = makeScene();

  test.each(["roadmap", "phases", "clusters", "ticket"])(
    "%s: killed in the middle, it ends in its commits",
    {
      timeout: 4 * MINUTES,
    },
    async (pipeline) => {
      const ended = await scene.signalbox("demo", "--pipeline", pipeline, "--json");
      expect(ended.exit, ended.err).toBe(0);
      expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
      expect(ended.events.filter((event) => event.type === "demo.killed")).toHaveLength(1);
      const told = ended.events.find((event) => event.type === "demo.told");
      expect(told).toMatchObject({ repeated: 0 });
      expect(Number(told?.["commits"])).toBeGreaterThan(0);
    },
  );

  test("a pipeline without a demo is named, with those that have one", async () => {
    const ended = await scene.signalbox("demo", "--pipeline", "nothing", "--json");
    expect(ended.exit).toBe(2);
    expect(lastEvent(ended)).toMatchObject({ code: "USAGE", hint: expect.stringContaining("clusters") });
  });
});
