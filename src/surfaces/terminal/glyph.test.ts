import { expect, test } from "vitest";
import { STATES } from "../../views/states.ts";
import { renderGlyph, toAscii } from "./glyph.ts";
import { PLAIN } from "./paint.ts";

test("every state has a glyph and an ASCII character", () => {
  expect(renderGlyph({ paint: PLAIN, ascii: false }, "waiting")).toBe("◆");
  expect(renderGlyph({ paint: PLAIN, ascii: true }, "waiting")).toBe("!");
});

test("our own glyphs in a text become ASCII, and other characters stay", () => {
  const all = Object.values(STATES)
    .map(({ glyph }) => glyph)
    .join(" ");
  expect(toAscii(all)).toMatch(/^[ -~]*$/);
  expect(toAscii("✓ gate “naïve” · 2 rules …")).toBe('+ gate "naïve" - 2 rules ...');
});
