import { expect, test } from "vitest";
import { formatFix, keepUnbroken, wrapCommandText } from "./command-text.ts";

const COMMAND = "npm install --global @some-scope/some-agent --registry https://registry.example.org";

test("a command stays on one line in a narrow terminal", () => {
  for (const width of [30, 40, 60, 80]) {
    const lines = wrapCommandText(`  ! no agent is installed here, so install one: ${keepUnbroken(COMMAND)}`, {
      width,
      indent: 4,
    });
    expect(lines.filter((line) => line.includes(COMMAND))).toHaveLength(1);
    expect(lines.filter((line) => !line.includes(COMMAND)).every((line) => line.length <= width)).toBe(true);
  }
});

test("a sentence wraps between words, but not inside quoted commands", () => {
  const lines = wrapCommandText(
    formatFix("Configure the reason, or try the checks again with `signalbox doctor --checks` afterwards"),
    {
      width: 40,
      indent: 2,
    },
  );
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.some((line) => line.includes("`signalbox doctor --checks`"))).toBe(true);
});

test("only ordinary spaces are printed", () => {
  expect(wrapCommandText(keepUnbroken("git status"), { width: 80, indent: 0 })).toEqual(["git status"]);
});
