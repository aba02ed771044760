import { expect, test } from "vitest";
import { saidOnce } from "./said-once.ts";

test("a text that repeats the first line or another text is removed", () => {
  expect(saidOnce("fix: refuse an empty name", ["An empty name is refused", "It crashed the door"])).toEqual([
    "It crashed the door",
  ]);
  expect(saidOnce("x", ["The door is open", "It was closed", "the door was opened"])).toEqual([
    "The door is open",
    "It was closed",
  ]);
});

test("of two similar texts the longer stays, of equal ones the earlier", () => {
  const short = "names are kept";
  const long = "names are kept for a day in the hall";
  expect(saidOnce("x", [short, long])).toEqual([long]);
  expect(saidOnce("x", [long, short])).toEqual([long]);
  expect(saidOnce("x", ["names are kept", "kept names"])).toEqual(["names are kept"]);
});
