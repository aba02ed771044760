import { expect, test } from "vitest";
import { parse } from "yaml";
import { yamlText } from "./yaml-text.ts";

test("data read back from their YAML are the same, the first time and every other", () => {
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 300; n += 1) {
      const value = { n, text: `${"long ".repeat(60)}${n}`, list: [{ a: n }, { a: n }], none: null };
      expect(parse(yamlText(value))).toEqual(value);
    }
  }
});

test("the same value twice is written out twice", () => {
  const same = { a: 1 };
  expect(yamlText([same, same])).toBe("- a: 1\n- a: 1\n");
});
