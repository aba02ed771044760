import { expect, test } from "vitest";
import { counted } from "./count.ts";

test("one is singular, every other number is plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "step"))).toEqual(["0 steps", "1 step", "2 steps"]);
  expect([1, 2].map((count) => counted(count, "dispatch", "dispatches"))).toEqual(["1 dispatch", "2 dispatches"]);
});
