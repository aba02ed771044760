import { expect, test } from "vitest";
import { formatTaskCommit } from "./commit-message.ts";

test("the subject is one line without a full stop, and the body follows", () => {
  expect(formatTaskCommit({ subject: "Greet by\n name.", body: " Why.\n" })).toBe("Greet by name\n\nWhy.");
  expect(formatTaskCommit({ subject: "Greet by name", body: "" })).toBe("Greet by name");
});

test("a long subject is cut at a word and repeated in full in the body", () => {
  const subject = `Let the greeter ${"really ".repeat(10)}greet`;
  const [first = "", whole = "", body] = formatTaskCommit({ subject, body: "Why." }).split("\n\n");
  expect(first).toMatch(/^Let the greeter really .*really…$/);
  expect(first.length).toBeLessThanOrEqual(72);
  expect([whole.replaceAll("\n", " "), body]).toEqual([subject, "Why."]);
});

test("a body of one long line is broken at 72 characters", () => {
  const body = "It was asked for, because people are greeted by their number. ".repeat(6).trim();
  const lines = formatTaskCommit({ subject: "Greet by name", body }).split("\n").slice(2);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(72);
  expect(lines.join(" ")).toBe(body);
});

test("a line created by wrapping is not read as a trailer", () => {
  const body = `${"word ".repeat(13)}again Reviewed-by: Ada`;
  expect(formatTaskCommit({ subject: "Greet by name", body })).toMatch(/again\n {2}Reviewed-by: Ada$/);
});
