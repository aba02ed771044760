import { expect, test } from "vitest";
import { STATES } from "../../views/states.ts";
import { glyphOf, inAscii } from "./glyph.ts";
import { PLAIN } from "./paint.ts";

test("every state has its sign, and its letter where only ASCII can be shown", () => {
  expect(glyphOf({ paint: PLAIN, ascii: false }, "waiting")).toBe("◆");
  expect(glyphOf({ paint: PLAIN, ascii: true }, "waiting")).toBe("!");
});

test("our own signs in a text become ASCII, and other letters stay", () => {
  const all = Object.values(STATES)
    .map(({ glyph }) => glyph)
    .join(" ");
  expect(inAscii(all)).toMatch(/^[ -~]*$/);
  expect(inAscii("✓ gate “naïve” · 2 rules …")).toBe('+ gate "naïve" - 2 rules ...');
});
