import { expect, test } from "vitest";
import { removeRepeatedTexts } from "./repeated-texts.ts";

test("a text that repeats the first line or another text is removed", () => {
  expect(removeRepeatedTexts("fix: refuse an empty name", ["An empty name is refused", "It crashed the door"])).toEqual(
    ["It crashed the door"],
  );
  expect(removeRepeatedTexts("x", ["The door is open", "It was closed", "the door was opened"])).toEqual([
    "The door is open",
    "It was closed",
  ]);
});

test("of two similar texts the longer stays, of equal ones the first", () => {
  const short = "names are kept";
  const long = "names are kept for a day in the hall";
  expect(removeRepeatedTexts("x", [short, long])).toEqual([long]);
  expect(removeRepeatedTexts("x", [long, short])).toEqual([long]);
  expect(removeRepeatedTexts("x", ["names are kept", "kept names"])).toEqual(["names are kept"]);
});
