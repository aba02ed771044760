import { expect, test } from "vitest";
import { findLikelyMatches } from "./likely-matches.ts";
import { getSearchWord, isMentioned } from "./mention.ts";
import { findUses } from "./use.ts";

const asked = (items: readonly string[]) => ({ items, wordsOf: (path: string) => [getSearchWord(path)] });

test.each([
  ["import './my-file.test.js'", "src/my-file.test.js"],
  ["import './übung.js'", "src/übung.js"],
  ["import './日本.js'", "src/日本.js"],
  ["import './$x.js'", "src/$x.js"],
])("with %s the file %s is among the likely ones", (text, path) => {
  const line = { path: "src/a.js", text };
  expect(isMentioned(line, path)).toBe(true);
  expect(findLikelyMatches([line], asked([path, "src/other.js"]))).toEqual([{ line, items: [path] }]);
});

test("[H-01] too many pairs of files and lines are not compared", () => {
  const files = Array.from({ length: 498 }, (_, at) => `d${at}/x.js`);
  const lines = Array.from({ length: 90_000 }, (_, at) => ({ path: "z.js", text: `"x"; // ${at}` }));
  const began = process.cpuUsage();
  expect(findUses(lines, files)).toBeUndefined();
  expect(findUses([{ path: "z.js", text: '"x"'.repeat(1_000_000) }], files)).toBeUndefined();
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});

test("[H-01] the time of a search grows with the lines, not with the lines times the files", () => {
  const files = Array.from({ length: 5_000 }, (_, at) => `d/f${at}.js`);
  const lines = Array.from({ length: 90_000 }, (_, at) => ({ path: "z.js", text: `import "./f${at}.js";` }));
  const began = process.cpuUsage();
  expect(findUses(lines, files)).toHaveLength(0);
  expect(process.cpuUsage(began).user).toBeLessThan(3_000_000);
});
