import { expect, test } from "vitest";
import { earlierLines } from "../../bench/truth/earlier.ts";
import { hollowed } from "../../bench/truth/hollow.ts";
import { share } from "../../bench/truth/interval.ts";
import { mutantsOf } from "../../bench/truth/mutant.ts";
import { pageOf } from "../../bench/truth/page.ts";
import type { Row } from "../../bench/truth/row.ts";
import { classOf } from "../../bench/truth/subject.ts";

test.each([
  ["fix(parse): keep the slash", "fix"],
  ["[Fix] `stringify`: do not drop own keys", "fix"],
  ["Fix detached calls", "fix"],
  ["Add `depth` option", "feature"],
  ["[New] `parse`: a depth", "feature"],
  ["perf(join): return early", "refactor"],
  ["fix: ruff format", "refactor"],
  ["fix: resolve typing errors", "refactor"],
  ["feat!: named exports", "breaking"],
  ["chore: drop Node 12", "breaking"],
  ['Revert "faster"', "breaking"],
  ["Polish redirects", "other"],
])("a commit is what its subject says: %s", (subject, kind) => {
  expect(classOf(subject)).toBe(kind);
});

test("a share has Wilson's interval", () => {
  expect(share(0, 10)).toBe("0/10 = 0 % [0–28]");
  expect(share(3, 45)).toBe("3/45 = 7 % [2–18]");
  expect(share(0, 0)).toBe("–");
});

const TESTS = [
  'it("old", () => {',
  "  expect(a()).toBe(1);",
  "});",
  'it("new", () => {',
  "  expect(b()).toBe(2);",
  "});",
];

test.each([
  ["skip", 3, 'it.skip("new", () => {'],
  ["return", 3, 'it("new", () => { return;'],
  ["true", 4, "  expect(true).toBe(true);"],
] as const)("a test is made hollow by %s, and its neighbour is not", (how, line, text) => {
  const after = hollowed({ path: "a.test.ts", text: TESTS.join("\n"), lines: new Set([4]) }, how);
  expect(after).toBe(TESTS.with(line, text).join("\n"));
});

test("a file without the tests that are meant cannot be made hollow", () => {
  expect(hollowed({ path: "a.test.ts", text: "const a = 1;\n" }, "skip")).toBeUndefined();
});

test("a mutant has one operator turned round, on a line that was changed", () => {
  const mutants = mutantsOf("if (a === b) c();\n// d === e\nf && g();", new Set([0, 1]));
  expect(mutants).toEqual([{ text: "if (a !== b) c();\n// d === e\nf && g();", line: 0, what: "line 1: === → !==" }]);
});

test("the page says of each repository when its commits were played", () => {
  const here = { dir: process.cwd(), commands: [{ name: "test", run: "npm test" }] };
  const row = (repo: string, date: string): Row => ({
    ...{ repo, date, hash: "0".repeat(40), subject: "fix: it", kind: "fix", source: "people", cheat: "", what: "" },
    ...{ outcome: "committed", kinds: [], told: [], commandsMs: 1, examMs: 1 },
  });
  const page = pageOf({
    rows: [row("one", "2026-11-16"), row("two", "2026-11-16"), row("two", "2026-11-17")],
    repositories: ["one", "two"].map((name) => ({ name, ...here })),
    notes: [],
  });
  expect(page).toContain("| `npm test` | 1 | on 2026-11-16 |");
  expect(page).toContain("| `npm test` | 2 | from 2026-11-16 to 2026-11-17 |");
});

test("figures of an earlier page stay with their date, and nothing else of it", () => {
  const page = [
    ...["# Truth", "", "Measured on 2026-11-16, Signalbox 0.1.0, Node 24.21.0.", ""],
    ...["## Refused fixes and features", "", "Words.", "", "| n | refused |", "|---|---|", "| 227 | 4 |", ""],
    ...["## Planted cheats", "", "| category | caught |", "|---|---|", "| H skip | 7 |", "| **H, all** | 29 |", ""],
    ...["## Every alarm", "", "- one", ""],
  ].join("\n");
  const lines = earlierLines(page);
  expect(lines).toEqual(
    expect.arrayContaining([
      "Measured on 2026-11-16, Signalbox 0.1.0, Node 24.21.0.",
      "| 227 | 4 |",
      "| **H, all** | 29 |",
    ]),
  );
  expect(lines.join()).not.toMatch(/H skip|Words|- one/);
  expect(earlierLines("")).toEqual([]);
});
