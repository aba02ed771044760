import { expect, it } from "vitest";
import { findRefusingChoice } from "./refusal.ts";

it.each([
  [["continue", "stop"], "stop"],
  [["leave them", "carry them", "abort"], "abort"],
  [["block", "accept"], "block"],
  [["y", "n", "details"], "n"],
  [["commit", "leave"], "leave"],
  [["abort", "go on"], "abort"],
  [["keep", "drop"], "drop"],
  [["run the checks again", "send the work back"], "send the work back"],
])("[A-09] rejecting a question with %j answers the one that stops", (choices, refusal) => {
  expect(findRefusingChoice(choices)).toBe(refusal);
});

it("[A-09] a question without a choice that stops cannot be rejected", () => {
  expect(findRefusingChoice(["ABC-12", "UTF-8"])).toBeUndefined();
  expect(findRefusingChoice(["skip", "merge", "new"])).toBeUndefined();
});
