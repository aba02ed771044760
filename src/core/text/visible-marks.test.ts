import { expect, test } from "vitest";
import { readMarks, showMarks } from "./visible-marks.ts";

test("invisible and direction-changing marks are named, other text stays unchanged", () => {
  expect(showMarks("photo\u202egpj.exe")).toBe("photo⟨U+202E⟩gpj.exe");
  expect(showMarks("\u2066a\u0000\u009b\u0090\ufeff")).toBe("⟨U+2066⟩a⟨U+0000⟩⟨U+009B⟩⟨U+0090⟩⟨U+FEFF⟩");
  const plain = "two\nlines\tand \u001b[31mcolours\u001b[0m, שלום, 👩‍👩‍👧\r\n";
  expect(showMarks(plain)).toBe(plain);
});

test("a displayed name is converted back, and other text stays unchanged", () => {
  const name = "src/\u202eevil\u2066\u0085.ts";
  expect(readMarks(showMarks(name))).toBe(name);
  expect(readMarks("⟨U+0041⟩ ⟨U+000A⟩ ⟨U+2F⟩")).toBe("⟨U+0041⟩ ⟨U+000A⟩ ⟨U+2F⟩");
});
