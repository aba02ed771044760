import { expect, test } from "vitest";
import { asTold, unbroken, wrapAround } from "./pasteable.ts";

const COMMAND = "npm install --global @some-scope/some-agent --registry https://registry.example.org";

test("a command stays one line however narrow the terminal is", () => {
  for (const width of [30, 40, 60, 80]) {
    const lines = wrapAround(`  ! nobody plays the roles here, so get one: ${unbroken(COMMAND)}`, { width, indent: 4 });
    expect(lines.filter((line) => line.includes(COMMAND))).toHaveLength(1);
    expect(lines.filter((line) => !line.includes(COMMAND)).every((line) => line.length <= width)).toBe(true);
  }
});

test("a sentence is broken between its words, but not inside the commands that it quotes", () => {
  const lines = wrapAround(asTold("Say why none is needed, or try them again with `signalbox doctor --checks` then"), {
    width: 40,
    indent: 2,
  });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.some((line) => line.includes("`signalbox doctor --checks`"))).toBe(true);
});

test("nothing but ordinary spaces is printed", () => {
  expect(wrapAround(unbroken("git status"), { width: 80, indent: 0 })).toEqual(["git status"]);
});
