import { expect, test } from "vitest";
import { formatCommitMessage } from "./commit-message.ts";

test("the run is named in its own paragraph", () => {
  expect(formatCommitMessage("Subject", "r1")).toBe("Subject\n\nSignalbox-Run: r1\n");
  expect(formatCommitMessage("Subject\n\nWhy it was done.\n\n", "r1")).toBe(
    "Subject\n\nWhy it was done.\n\nSignalbox-Run: r1\n",
  );
});

test("trailers stay one block", () => {
  const message = "Subject\n\nWhy.\n\nReviewed-by: Ada\nSee-also: that\n  and more";
  expect(formatCommitMessage(message, "r1")).toBe(`${message}\nSignalbox-Run: r1\n`);
});

test("a subject that looks like a trailer is a subject", () => {
  expect(formatCommitMessage("fix: it", "r1")).toBe("fix: it\n\nSignalbox-Run: r1\n");
});

test("characters that git or a terminal cannot handle are replaced, and the text around them is kept", () => {
  expect(formatCommitMessage("a\0b\x1b[2Jc\u009bd\r\n\ttab\nend\r", "r1")).toBe(
    "a\ufffdb\ufffd[2Jc\ufffdd\n\ttab\nend\ufffd\n\nSignalbox-Run: r1\n",
  );
});

test("a run that is already named is not named again", () => {
  const message = formatCommitMessage("Subject", "r1");
  expect(formatCommitMessage(message, "r1")).toBe(message);
});
