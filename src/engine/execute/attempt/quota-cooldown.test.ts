import { expect, test } from "vitest";
import { pipeWith } from "../../../../test/support/pipe.ts";
import { createRealWorld } from "../../../cli/real-world.ts";
import type { AttemptRequest, AttemptResult, Effect } from "../../../core/journal/effect.ts";
import { readScript } from "../../../drivers/scripted/read-script.ts";
import { createScriptedDriver } from "../../../drivers/scripted/scripted-driver.ts";
import { createQuotaCooldown } from "./quota-cooldown.ts";

const HOUR_MS = 3_600_000;
const calm = new AbortController().signal;
const pipeline = pipeWith([]);

const USED_UP: AttemptResult = {
  outcome: "failed",
  failure: { class: "deterministic", code: "quota", message: "used up", wakeAt: Date.now() + HOUR_MS },
  ms: 5,
};
const DONE: AttemptResult = { outcome: "done", contract: {}, ms: 5 };

/** Each process gives the next of these results; `begun` counts them. */
function windows(...results: readonly AttemptResult[]) {
  const driver = createScriptedDriver(readScript("agents: []"));
  let begun = 0;
  const { around } = createQuotaCooldown({
    definitions: { define: async () => ({ prompt: "Play.", driver, from: "the test", instead: "another" }) },
    pipelines: () => pipeline,
    world: createRealWorld({}),
  });
  const perform = around(async () => results[begun++] ?? DONE);
  return { attempt: (more: Partial<AttemptRequest> = {}) => perform(effect(more), calm), begun: () => begun };
}

function effect(more: Partial<AttemptRequest>): Effect<"attempt"> {
  // Nothing else of a request is read here.
  const request = { pipeline: "p", role: "r", ...more } as AttemptRequest;
  return { id: "r1/x@1", run: "r1", kind: "attempt", request };
}

test("an agent with a used-up window is not started until it opens, and the fallback is named", async () => {
  const { attempt, begun } = windows(USED_UP);
  expect(await attempt()).toMatchObject({ outcome: "failed", ms: 5, instead: "another" });
  expect(await attempt()).toMatchObject({ outcome: "failed", failure: { code: "quota" }, ms: 0, instead: "another" });
  expect(begun()).toBe(1);
});

test("another try that a person wants is a real one, and an answer opens the window for all", async () => {
  const { attempt, begun } = windows(USED_UP, USED_UP, DONE);
  await attempt();
  expect(await attempt({ anew: true })).toMatchObject({ outcome: "failed", ms: 5 });
  expect(await attempt()).toMatchObject({ outcome: "failed", ms: 0 });
  expect(await attempt({ anew: true })).toMatchObject({ outcome: "done" });
  expect(await attempt()).toMatchObject({ outcome: "done" });
  expect(begun()).toBe(4);
});
