import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { maskCode, maskComments } from "./code-mask.ts";
import { getTestLanguage } from "./test-language.ts";

function syntaxOf(path: string) {
  const language = getTestLanguage(path);
  if (!language) throw new Error(`no language for ${path}`);
  return language.syntax;
}

/** Shows spaces as dots, so that their number is visible. */
const masked = (path: string, text: string) => maskCode(text, syntaxOf(path)).replaceAll(" ", ".");

test.each([
  ["a.ts", "a//b\nc", "a...\nc"],
  ["a.ts", "a/*b\nc*/d", "a...\n...d"],
  ["a.ts", "a/*b", "a..."],
  ["a.ts", 'f("it\\"s")', 'f(".....")'],
  ["a.ts", "f('a\nb')", "f(''\nb''"],
  ["a.ts", "`a\n{b}`", "`.\n...`"],
  ["a.ts", "`\\``", "`..`"],
  ["a.ts", "f(/[/'\"]\\//)", "f(.........)"],
  ["a.ts", "return /'/", "return...."],
  ["a.ts", "a / b / 'c'", "a./.b./.'.'"],
  ["a.ts", "x = / b", "x.=./.b"],
  ["a.py", "a # b\n'c'", "a....\n'.'"],
  ["a.py", '"""a\n"b"\n"""c', '""".\n...\n"""c'],
  ["a.py", '"""open', '"""."""'],
  ["a.py", '"""', "..."],
  ["a.go", "`a\\` + `b", "`..`.+.``"],
  ["a.go", '\'"\' + "//"', "'.'.+.\"..\""],
  ["a.rs", "&'a str // b", "&'a.str....."],
  ["a.rs", "'\\n' \"a\nb\"", "'..'.\".\n.\""],
  ["a.rb", "a\n=begin\nb\n=end\nc", "a\n......\n.\n....\nc"],
  ["a.php", "#[Test]\n# a\n'b\nc'", "#[Test]\n...\n'.\n.'"],
  ["a.ts", "", ""],
])("%s: %j → %j", (path, text, expected) => {
  expect(masked(path, text)).toBe(expected);
});

test("a text without its comments keeps its strings", () => {
  expect(maskComments("a = '#' # b", syntaxOf("a.py"))).toBe("a = '#'    ");
});

test.each(["/", "'", '"', "`", "/*", "//", "\\", "'a", "(/", "=/["])(
  "%j over and over takes time in proportion",
  (piece) => {
    const time = (size: number) => {
      const text = piece.repeat(size / piece.length);
      const start = cpuMs();
      for (const path of ["a.ts", "a.py", "a.rs"]) maskCode(text, syntaxOf(path));
      return cpuMs() - start;
    };
    time(10_000);
    const once = Math.min(time(40_000), time(40_000));
    // Quadratic reading would take 64 times as long. Times below some milliseconds only measure the clock.
    expect(Math.min(time(320_000), time(320_000))).toBeLessThan(32 * Math.max(once, 16));
  },
);
