import { expect, test } from "vitest";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { removeSequences } from "./terminal-sequences.ts";

const ESC = "\u001b";

test.each([
  ["a colour", `${ESC}[1;31mred${ESC}[0m`, "red"],
  ["a colour in one character", "\u009b31mred", "red"],
  ["a title", `${ESC}]0;title\u0007after`, "after"],
  ["a link", `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, "text"],
  ["another set of letters", `${ESC}(Ba${ESC}c`, "a"],
  ["a device's own text", `${ESC}Pq#0${ESC}\\b`, "b"],
  ["an escape at the end", `a${ESC}`, "a"],
])("%s is taken out", (_name, text, clean) => {
  expect(removeSequences(text)).toBe(clean);
});

test("a command that is never closed hides nothing behind it", () => {
  expect(removeSequences(`${ESC}]0;one\ntwo`)).toBe("0;one\ntwo");
  expect(removeSequences(`${ESC}[999999`)).toBe("999999");
});

test("a text of unterminated sequences is read in linear time", () => {
  const start = cpuMs();
  removeSequences(`${ESC}]0;`.repeat(65_536));
  removeSequences(`${ESC}]${"a".repeat(262_144)}`);
  expect(cpuMs() - start).toBeLessThan(1_000);
});
