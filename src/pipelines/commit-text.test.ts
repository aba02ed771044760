import { expect, test } from "vitest";
import {
  createTypedSubject,
  describesFault,
  formatCommitText,
  formatListItem,
  shortenSubject,
  wrapBody,
  wrapText,
} from "./commit-text.ts";

test("a text that fits stays unchanged, a longer one is cut at a word and marked", () => {
  expect(shortenSubject("Greet by name", 13)).toBe("Greet by name");
  expect(shortenSubject("Greet people, by name", 15)).toBe("Greet people…");
  expect(shortenSubject("x".repeat(9), 5)).toBe("xxxx…");
});

test("lines have at most 72 characters, points of a list hang", () => {
  const words = "word ".repeat(40);
  expect(
    Math.max(
      ...wrapText(words)
        .split("\n")
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(72);
  expect(formatListItem(words).split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^- word/),
    expect.stringMatching(/^ {2}word/),
  ]);
});

test("only long lines of prose are wrapped", () => {
  const long = "word ".repeat(30).trim();
  const kept = ["Short.", "Also short.", "", `- ${long}`, `1. ${long}`, `    ${long}`, "```", long, "```", `> ${long}`];
  expect(wrapBody(kept.join("\n"))).toBe(kept.join("\n"));
  expect(wrapBody(`${long}\nShort.`)).toBe(`${wrapText(long)}\nShort.`);
});

test("the kind of work sets the commit type: any feature makes it feat, otherwise any fix makes it fix", () => {
  expect(createTypedSubject([{ kind: "fix" }, { kind: "docs" }], "Greet people.")).toBe("fix: greet people");
  expect(createTypedSubject([{ kind: "docs" }, {}], "HTTP greets")).toBe("feat: HTTP greets");
});

test("a commit message has the change, the reason, the parts and the gates; a cut subject is repeated in full", () => {
  const long = "Greet everybody who comes through the door at night by the name that they gave";
  expect(
    formatCommitText({
      subject: `feat: ${long}`,
      why: ["Nobody knew who was there"],
      heading: "Asked:",
      parts: ["a name is kept"],
      gates: ["test passed", "review passed"],
      rest: ["Item: 1"],
    }),
  ).toBe(
    [
      "feat: Greet everybody who comes through the door at night by the name…",
      "Greet everybody who comes through the door at night by the name that\nthey gave.",
      "Nobody knew who was there.",
      "Asked:\n- a name is kept",
      "Gates: test passed; review passed.",
      "Item: 1",
    ].join("\n\n"),
  );
});

test.each([
  ["feat: Adds a door", "feat: Add a door"],
  ["fix(hall): removed the step", "fix(hall): remove the step"],
  ["Names are kept", "Names are kept"],
])("a subject is written in the imperative: %s", (said, subject) => {
  expect(formatCommitText({ subject: said, why: [], gates: [] })).toBe(subject);
});

test("a fault is distinguished from a change", () => {
  expect(["greet() crashes", "it doesn't greet", "names are wrong"].map(describesFault)).toEqual([true, true, true]);
  expect(["Greet people", "Add an error page"].map(describesFault)).toEqual([false, false]);
});
