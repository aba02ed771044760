import { expect, test } from "vitest";
import { after, audited, baseline, reviewed } from "./ledger.suite.ts";
import { renderAudit } from "./render.ts";

test("totals come first, then entries that did not pass, then notes", () => {
  const checks = [baseline(), after("build"), after("tests", { passed: 0 }), ...reviewed({ instance: null })];
  const text = renderAudit(audited({ checks }));
  const places = [
    "12 rows evaluated: 1 task, 1 review round",
    "EG-6",
    "Entries that did not pass",
    "failed: tests",
    "Notes",
  ];
  const found = places.map((place) => text.indexOf(place));
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

test("entries with more failed gates come first, and at most ten are listed", () => {
  const one = Array.from({ length: 12 }, (_, at) =>
    [baseline(), after("build")].map((row) => ({ ...row, task_id: `one-${at}` })),
  );
  const text = renderAudit(audited({ checks: [...one.flat(), after("build", { task_id: "two" })] }));
  expect(text).toContain("The worst 10 of 13 entries");
  expect(text).toContain("… 3 more");
  expect(text.indexOf("two (task")).toBeLessThan(text.indexOf("one-0 (task"));
});

test("a clean ledger lists no entries", () => {
  const text = renderAudit(audited({ checks: [baseline(), after("build"), after("tests"), ...reviewed()] }));
  expect(text).not.toContain("did not pass");
});

test("hostile text stays on its line and within a hundred columns", () => {
  const nasty = [
    "\u001b]0;title\u0007\u001b[2J",
    "a\nb\r\u2028c",
    "\u202egnp.exe",
    "x".repeat(900),
    "漢字".repeat(90),
    "👩‍💻 ".repeat(80),
  ];
  const checks = nasty.flatMap((text) => [
    after(text, { run_id: text, task_id: text, passed: 0 }),
    ...reviewed({ task_id: `${text}-code-review`, instance: text }),
  ]);
  const text = renderAudit(audited({ checks }));
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  for (const line of text.split("\n")) expect(columns(line)).toBeLessThanOrEqual(100);
});

const columns = (line: string): number =>
  [...line].reduce((sum, letter) => sum + (/[漢字👩💻]/u.test(letter) ? 2 : 1), 0);
