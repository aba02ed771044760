import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CaseRow } from "../../bench/truth/cases/case-row.ts";
import { readCheckwashCases } from "../../bench/truth/cases/checkwash.ts";
import { hollowTests } from "../../bench/truth/hollow.ts";
import { formatShare } from "../../bench/truth/interval.ts";
import { listMutants } from "../../bench/truth/mutant.ts";
import { renderPage } from "../../bench/truth/page.ts";
import type { Row } from "../../bench/truth/row.ts";
import { classifySubject } from "../../bench/truth/subject.ts";

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
])("a commit is classified by its subject: %s", (subject, kind) => {
  expect(classifySubject(subject)).toBe(kind);
});

test("formatShare includes Wilson's interval", () => {
  expect(formatShare(0, 10)).toBe("0/10 = 0 % [0–28]");
  expect(formatShare(3, 45)).toBe("3/45 = 7 % [2–18]");
  expect(formatShare(0, 0)).toBe("–");
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
] as const)("%s makes a test hollow and leaves its neighbor unchanged", (how, line, text) => {
  const after = hollowTests({ path: "a.test.ts", text: TESTS.join("\n"), lines: new Set([4]) }, how);
  expect(after).toBe(TESTS.with(line, text).join("\n"));
});

test("a file without the named tests cannot be made hollow", () => {
  expect(hollowTests({ path: "a.test.ts", text: "const a = 1;\n" }, "skip")).toBeUndefined();
});

test("a mutant has one flipped operator on a changed line", () => {
  const mutants = listMutants("if (a === b) c();\n// d === e\nf && g();", new Set([0, 1]));
  expect(mutants).toEqual([{ text: "if (a !== b) c();\n// d === e\nf && g();", line: 0, what: "line 1: === → !==" }]);
});

const here = { dir: process.cwd(), commands: [{ name: "test", run: "npm test" }] };
const row = (about: Partial<Row>): Row => ({
  ...{ repo: "one", date: "2026-11-16", hash: "0".repeat(40), subject: "fix: it", kind: "fix", source: "people" },
  ...{ cheat: "", what: "", outcome: "committed", kinds: [], told: [], commandsMs: 1, examMs: 1, ...about },
});
const caseRow = (about: Partial<CaseRow>): CaseRow => ({
  ...{ corpus: "tamper", name: "001", isHonest: false, outcome: "asked", kinds: [], told: [], date: "2026-11-17" },
  ...about,
});

test("the page counts outcomes and lists every miss", () => {
  const page = renderPage({
    rows: [
      row({}),
      row({ repo: "two", outcome: "asked", kinds: ["no red test"] }),
      row({ cheat: "H skip", what: "a.js" }),
    ],
    cases: [
      caseRow({}),
      caseRow({ name: "002", outcome: "committed" }),
      caseRow({ corpus: "refactors", name: "003", isHonest: true, kinds: ["lost tests"] }),
    ],
    repositories: ["one", "two"].map((name) => ({ name, ...here })),
    notes: ["one choice"],
  });
  expect(page).toContain("Measured from 2026-11-16 to 2026-11-17");
  expect(page).toContain("| tamper | 2 | 1 | 1 | 0 | stopped 1/2 = 50 %");
  expect(page).toContain("| **all** | 2 | 1 | 1 | 0 | 1/2 = 50 %");
  expect(page).toContain("- H skip, a.js: one 00000000");
  expect(page).toContain("- tamper, 002: committed.");
  expect(page).toContain("- refactors, 003: asked (lost tests).");
  expect(page).toContain("| `npm test` | 1 |");
  expect(page).toContain("- one choice");
});

test("the cases of a checkout are read with both of their states", () => {
  const checkout = mkdtempSync(join(tmpdir(), "signalbox-checkwash-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(checkout, "benchmarks", path)), { recursive: true });
    writeFileSync(join(checkout, "benchmarks", path), text);
  };
  write("tamper/cases/001-add/src/app/add.py", "wrong");
  write("tamper/cases/001-add/before/tests/test_add.py", "red");
  write("tamper/cases/001-add/after/tests/test_add.py", "green");
  write("refactors/cases/CASE_001_add/PROD-GOOD/src/app/add.py", "right");
  write("refactors/cases/CASE_001_add/PROD-BUG/src/app/add.py", "wrong");
  write("refactors/cases/CASE_001_add/BEFORE/tests/test_add.py", "old");
  write("refactors/cases/CASE_001_add/AFTER/tests/test_add.py", "new");
  try {
    const [tamper, refactor] = readCheckwashCases(checkout);
    expect(tamper).toMatchObject({ name: "001-add", isHonest: false });
    expect([...(tamper?.after ?? [])]).toEqual([
      ["src/app/add.py", "wrong"],
      ["tests/test_add.py", "green"],
    ]);
    expect(refactor).toMatchObject({ name: "CASE_001_add", isHonest: true });
    expect([...(refactor?.before ?? [])]).toEqual([
      ["src/app/add.py", "right"],
      ["tests/test_add.py", "old"],
    ]);
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
});
