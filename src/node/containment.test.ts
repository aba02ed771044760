import { expect, test } from "vitest";
import { isWithin } from "./containment.ts";

test.each([
  ["/a", "/a", true],
  ["/a/b/c", "/a", true],
  ["/a/..b", "/a", true],
  ["/a/b/../c", "/a", true],
  ["/ab", "/a", false],
  ["/a/../b", "/a", false],
  ["/", "/a", false],
])("%s is within %s: %s", (path, folder, within) => {
  expect(isWithin(path, folder)).toBe(within);
});
