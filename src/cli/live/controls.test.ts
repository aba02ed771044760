import { expect, test } from "vitest";
import { agent, page } from "../../surfaces/terminal/live/page.fixture.ts";
import { createControls, type LiveAction } from "./controls.ts";

function open(agents = [agent("greet"), agent("initials")]) {
  const done: string[] = [];
  const stop: LiveAction = {
    key: "s",
    does: "stop one agent",
    about: "agent",
    asks: true,
    isOn: ({ head }) => head.agents.length > 0,
    act: async ({ who }) => {
      done.push(who);
      return `${who} was stopped`;
    },
  };
  const shown = page({ agents });
  return { done, controls: createControls({ actions: [stop], page: () => shown, changed: () => {} }) };
}

test("an agent is selected by its number", async () => {
  const { done, controls } = open();
  controls.pressed("s");
  expect(controls.isChoosing()).toBe(true);
  expect(controls.notice()).toBe("stop one agent: which agent? 1–2, any other key cancels");
  controls.pressed("2");
  await Promise.resolve();
  expect(done).toEqual(["initials"]);
  expect(controls.notice()).toBe("initials was stopped");
});

test("any other key cancels the selection, even if only one agent runs", () => {
  const { done, controls } = open([agent("greet")]);
  controls.pressed("s");
  controls.pressed("s");
  controls.pressed("x");
  expect(done).toEqual([]);
  expect(controls.isChoosing()).toBe(false);
});

test("a key without effect is hidden and does nothing", () => {
  const { controls } = open([]);
  expect(controls.keys()).toEqual([]);
  controls.pressed("s");
  expect(controls.isChoosing()).toBe(false);
});
