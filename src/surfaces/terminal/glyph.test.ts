import { expect, test } from "vitest";
import { STATES } from "../../views/states.ts";
import { glyphOf, inAscii } from "./glyph.ts";
import { PLAIN } from "./paint.ts";

test("every state has a glyph and an ASCII character", () => {
  expect(glyphOf({ paint: PLAIN, ascii: false }, "waiting")).toBe("◆");
  expect(glyphOf({ paint: PLAIN, ascii: true }, "waiting")).toBe("!");
});

test("our own glyphs in a text become ASCII, and other characters stay", () => {
  const all = Object.values(STATES)
    .map(({ glyph }) => glyph)
    .join(" ");
  expect(inAscii(all)).toMatch(/^[ -~]*$/);
  expect(inAscii("✓ gate “naïve” · 2 rules …")).toBe('+ gate "naïve" - 2 rules ...');
});
