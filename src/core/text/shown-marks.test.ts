import { expect, test } from "vitest";
import { readMarks, showMarks } from "./shown-marks.ts";

test("marks that turn text around or cannot be seen are named, and other text stays as it is", () => {
  expect(showMarks("photo\u202egpj.exe")).toBe("photo⟨U+202E⟩gpj.exe");
  expect(showMarks("\u2066a\u0000\u009b\u0090\ufeff")).toBe("⟨U+2066⟩a⟨U+0000⟩⟨U+009B⟩⟨U+0090⟩⟨U+FEFF⟩");
  const plain = "two\nlines\tand \u001b[31mcolours\u001b[0m, שלום, 👩‍👩‍👧\r\n";
  expect(showMarks(plain)).toBe(plain);
});

test("what was shown is found again by its own name, and nothing else is made of text", () => {
  const name = "src/\u202eevil\u2066\u0085.ts";
  expect(readMarks(showMarks(name))).toBe(name);
  expect(readMarks("⟨U+0041⟩ ⟨U+000A⟩ ⟨U+2F⟩")).toBe("⟨U+0041⟩ ⟨U+000A⟩ ⟨U+2F⟩");
});
