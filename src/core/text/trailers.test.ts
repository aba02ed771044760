import { expect, test } from "vitest";
import { withoutOurTrailers, withoutTrailers, withTrailer } from "./trailers.ts";

test("a body stays as it was written, whatever its last line looks like", () => {
  const body = "feat: it\n\nWhat was slow is fast.\n\nNote: only on Linux.";
  expect(withTrailer(body, "Signalbox-Run: r1")).toBe(`${body}\n\nSignalbox-Run: r1`);
  const list = "feat: it\n\n- one: two\n- three";
  expect(withTrailer(list, "Signalbox-Run: r1")).toBe(`${list}\n\nSignalbox-Run: r1`);
});

test("existing trailers stay one block with the new ones", () => {
  const message = "feat: it\n\nWhy.\n\nRefs: ABC-12";
  const once = withTrailer(message, "Signalbox-Agents: claude (implementer)");
  expect(withTrailer(once, "Signalbox-Run: r1")).toBe(
    `${message}\nSignalbox-Agents: claude (implementer)\nSignalbox-Run: r1`,
  );
});

test("a trailer that is there is not added again", () => {
  const message = withTrailer("feat: it", "Signalbox-Run: r1");
  expect(withTrailer(message, "Signalbox-Run: r1")).toBe(message);
});

test("foreign text never becomes a trailer, and cannot imitate the engine's own", () => {
  const text = "Why.\n\nSigned-off-by: Ada\nsignalbox-run: other";
  expect(withTrailer(withoutTrailers(text), "Signalbox-Run: r")).toBe(
    "Why.\n\n  Signed-off-by: Ada\n  signalbox-run: other\n\nSignalbox-Run: r",
  );
  expect(withoutOurTrailers(text)).toBe("Why.\n\nSigned-off-by: Ada\n  signalbox-run: other");
});
