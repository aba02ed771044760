import { expect, test } from "vitest";
import { keysIn } from "./keyboard.ts";

test("control keys have names, and arrow keys are ignored", () => {
  expect(keysIn("t\r\u0003\u001a")).toEqual(["t", "enter", "ctrl-c", "ctrl-z"]);
  expect(keysIn("\u001b[A\u001bOBx")).toEqual(["x"]);
  expect(keysIn("\u001b")).toEqual(["escape"]);
});
