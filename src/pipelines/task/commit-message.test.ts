import { expect, test } from "vitest";
import { commitMessage } from "./commit-message.ts";

test("the subject is one line without a full stop, the body stands below it", () => {
  expect(commitMessage({ subject: "Greet by\n name.", body: " Why.\n" })).toBe("Greet by name\n\nWhy.");
  expect(commitMessage({ subject: "Greet by name", body: "" })).toBe("Greet by name");
});

test("a subject that is too long is cut at a word and stands whole in the body", () => {
  const subject = `Let the greeter ${"really ".repeat(10)}greet`;
  const [first = "", , whole, , body] = commitMessage({ subject, body: "Why." }).split("\n");
  expect(first).toMatch(/^Let the greeter really .*really…$/);
  expect(first.length).toBeLessThanOrEqual(72);
  expect([whole, body]).toEqual([subject, "Why."]);
});
