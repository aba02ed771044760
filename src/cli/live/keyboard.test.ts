import { expect, test } from "vitest";
import { parseKeys } from "./keyboard.ts";

test("control keys have names, and arrow keys are ignored", () => {
  expect(parseKeys("t\r\u0003\u001a")).toEqual(["t", "enter", "ctrl-c", "ctrl-z"]);
  expect(parseKeys("\u001b[A\u001bOBx")).toEqual(["x"]);
  expect(parseKeys("\u001b")).toEqual(["escape"]);
});
