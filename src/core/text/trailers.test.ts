import { expect, test } from "vitest";
import { addTrailer, escapeOwnTrailers, withoutTrailers } from "./trailers.ts";

test("a body stays as it was written, whatever its last line looks like", () => {
  const body = "feat: it\n\nWhat was slow is fast.\n\nNote: only on Linux.";
  expect(addTrailer(body, "Signalbox-Run: r1")).toBe(`${body}\n\nSignalbox-Run: r1`);
  const list = "feat: it\n\n- one: two\n- three";
  expect(addTrailer(list, "Signalbox-Run: r1")).toBe(`${list}\n\nSignalbox-Run: r1`);
});

test("existing trailers stay one block with the new ones", () => {
  const message = "feat: it\n\nWhy.\n\nRefs: ABC-12";
  const once = addTrailer(message, "Signalbox-Agents: claude (implementer)");
  expect(addTrailer(once, "Signalbox-Run: r1")).toBe(
    `${message}\nSignalbox-Agents: claude (implementer)\nSignalbox-Run: r1`,
  );
});

test("a trailer that is there is not added again", () => {
  const message = addTrailer("feat: it", "Signalbox-Run: r1");
  expect(addTrailer(message, "Signalbox-Run: r1")).toBe(message);
});

test("foreign text never becomes a trailer, and cannot imitate the engine's own", () => {
  const text = "Why.\n\nSigned-off-by: Ada\nsignalbox-run: other";
  expect(addTrailer(withoutTrailers(text), "Signalbox-Run: r")).toBe(
    "Why.\n\n  Signed-off-by: Ada\n  signalbox-run: other\n\nSignalbox-Run: r",
  );
  expect(escapeOwnTrailers(text)).toBe("Why.\n\nSigned-off-by: Ada\n  signalbox-run: other");
});
