import { expect, test } from "vitest";
import { point, shortened, typedSubject, wrapped } from "./commit-text.ts";

test("a text that fits stays, another is cut at a word and marked", () => {
  expect(shortened("Greet by name", 13)).toBe("Greet by name");
  expect(shortened("Greet people, by name", 15)).toBe("Greet people…");
  expect(shortened("x".repeat(9), 5)).toBe("xxxx…");
});

test("lines have at most 72 characters, points of a list hang", () => {
  const words = "word ".repeat(40);
  expect(
    Math.max(
      ...wrapped(words)
        .split("\n")
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(72);
  expect(point(words).split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^- word/),
    expect.stringMatching(/^ {2}word/),
  ]);
});

test("the kind of the work is the type of the commit: one feature makes it one, then one fix", () => {
  expect(typedSubject([{ kind: "fix" }, { kind: "docs" }], "Greet people.")).toBe("fix: greet people");
  expect(typedSubject([{ kind: "docs" }, {}], "HTTP greets")).toBe("feat: HTTP greets");
});
