import { expect, test } from "vitest";
import { lastEvent, makeScene } from "../cli/scene.ts";

test("[U-07] a demo needs no key, survives a kill in its middle, and ends in a commit", async () => {
  const ended = await makeScene().signalbox("demo", "--pipeline", "ticket", "--json");
  expect(ended.exit, ended.err).toBe(0);
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done", exit: 0 });
  expect(ended.events.filter(({ type }) => type === "demo.killed")).toHaveLength(1);
  expect(ended.events.find(({ type }) => type === "demo.told")).toMatchObject({ repeated: 0 });
});
