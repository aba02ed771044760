import { expect, test } from "vitest";
import { messageOf } from "./message.ts";

test("the run is named in its own paragraph", () => {
  expect(messageOf("Subject", "r1")).toBe("Subject\n\nSignalbox-Run: r1\n");
  expect(messageOf("Subject\n\nWhy it was done.\n\n", "r1")).toBe("Subject\n\nWhy it was done.\n\nSignalbox-Run: r1\n");
});

test("trailers stay one block", () => {
  const message = "Subject\n\nWhy.\n\nReviewed-by: Ada\nSee-also: that\n  and more";
  expect(messageOf(message, "r1")).toBe(`${message}\nSignalbox-Run: r1\n`);
});

test("a subject that looks like a trailer is a subject", () => {
  expect(messageOf("fix: it", "r1")).toBe("fix: it\n\nSignalbox-Run: r1\n");
});

test("characters that git or a terminal cannot handle are replaced, and the text around them is kept", () => {
  expect(messageOf("a\0b\x1b[2Jc\u009bd\r\n\ttab\nend\r", "r1")).toBe(
    "a\ufffdb\ufffd[2Jc\ufffdd\n\ttab\nend\ufffd\n\nSignalbox-Run: r1\n",
  );
});

test("a run that is already named is not named again", () => {
  const message = messageOf("Subject", "r1");
  expect(messageOf(message, "r1")).toBe(message);
});
