import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allMutants } from "../breaks/all.ts";
import { BOOKS, type Book, RULES_FILE, rulesFileOf, TAG_PROBLEMS } from "./books.ts";
import { renderPage } from "./page.ts";
import { mutantProblems, ruleProblems, shortTestProblems, testProblems } from "./problems.ts";
import { PROMISES, promiseProblems, readPromises } from "./promises.ts";
import { readReports } from "./report.ts";
import type { KeptRule } from "./rule-tags.ts";
import { ROOT } from "./sources.ts";

const mutants = await allMutants();

test("the specification has 329 rules", () => {
  expect(BOOKS.flatMap(({ ids }) => ids)).toHaveLength(329);
});

test("every tag in the sources parses", () => {
  expect(TAG_PROBLEMS).toEqual([]);
});

test.each(BOOKS)("every rule of $pipeline is tagged on a declaration, and no other rule is", (book) => {
  expect(ruleProblems(book)).toEqual([]);
});

test("src/pipelines/rules.json matches the sources; `npm run rules` regenerates it", () => {
  expect(readFileSync(RULES_FILE, "utf8")).toBe(rulesFileOf(BOOKS));
});

test.each(Object.keys(mutants))("the text that the break of %s removes occurs once in its file", (id) => {
  const { file = "", from = "", to = "" } = mutants[id] ?? {};
  expect(readFileSync(join(ROOT, file), "utf8").split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});

const rule = (id: string, more: Partial<KeptRule> = {}): KeptRule => ({
  id,
  rule: "It holds.",
  kind: "gate",
  by: "core/authoring/retry.ts#upTo",
  ...more,
});
const book = (...rules: readonly KeptRule[]): Book => ({ pipeline: "small", ids: ["L-01", "L-02"], rules });

test("a rule without a declaration, and a rule that the specification lacks, are problems", () => {
  expect(ruleProblems(book(rule("L-02"), rule("L-03")))).toEqual([
    "L-01: no declaration carries it",
    "L-03: no rule of small",
  ]);
});

const reportOf = (...tests: readonly { fullName: string; title: string; status: string }[]): string =>
  JSON.stringify({ testResults: [{ name: "/r/test/a.test.ts", assertionResults: tests }] });
const one = (title: string, status = "passed", above = "") => ({ fullName: `${above}${title}`, title, status });

test("the report of another clone is refused", () => {
  expect(() => readReports([reportOf(one("[L-01] a"))], "/s")).toThrow("/r/test/a.test.ts, which is not in /s");
});

test("a test counts for every id in its title and in the titles of its groups", () => {
  const group = "[L-02] a group ";
  const tests = readReports(
    [
      reportOf(
        one("[L-01] [A-02] b"),
        one("c", "passed", group),
        one("[L-01] a", "failed"),
        one("[L-01] z", "skipped"),
      ),
    ],
    "/r",
  );
  expect(Object.fromEntries(tests)).toEqual({
    "L-01": [
      { file: "test/a.test.ts", title: "a", outcome: "failed" },
      { file: "test/a.test.ts", title: "b", outcome: "passed" },
      { file: "test/a.test.ts", title: "z", outcome: "skipped" },
    ],
    "A-02": [{ file: "test/a.test.ts", title: "b", outcome: "passed" }],
    "L-02": [{ file: "test/a.test.ts", title: "a group c", outcome: "passed" }],
  });
});

test("a rule without a test, with a failing test, or with only skipped tests is a problem", () => {
  const tests = readReports([reportOf(one("[L-01] a", "failed"), one("[L-03] a", "skipped"))], "/r");
  expect(testProblems([rule("L-03")], tests)).toEqual(["L-03: every test that carries its id was skipped"]);
  expect(testProblems([rule("L-01"), rule("L-02")], tests)).toEqual([
    "L-01: fails: a (test/a.test.ts)",
    "L-02: no test carries its id",
  ]);
});

test("every kind but code needs a break, and a break needs a rule", () => {
  const change = { file: "a", from: "b", to: "c" };
  const rules = book(rule("L-01"), rule("L-02", { kind: "code" }));
  expect(mutantProblems([rules], { "L-09": change })).toEqual([
    "L-01: a gate without a break",
    "L-09: a break of no rule",
  ]);
});

test("the page does not depend on the order in which tests ran", () => {
  const tests = [one("[L-01] a"), one("[L-01] b|c"), one("[L-02] src/x.ts")];
  const pages = [tests, tests.toReversed()].map((list) =>
    renderPage([book(rule("L-01"), rule("L-02"))], [], readReports([reportOf(...list)], "/r"), {}),
  );
  expect(pages[0]).toBe(pages[1]);
  expect(pages[0]).toContain("[test/a.test.ts](../test/a.test.ts): a · b\\|c | no |");
});

test("the README's promises are numbered, and each tag ends a sentence", () => {
  expect(PROMISES.length).toBeGreaterThan(0);
  expect(promiseProblems(PROMISES)).toEqual([]);
});

test("a promise is the item, row or paragraph before its tag, as plain text", () => {
  const page = "# A\n\nIt **works**\non [Linux](linux.md). <!-- U-02 -->\n\n- One.\n- `two`\n  lines <!-- U-01 -->\n";
  expect(readPromises(page)).toEqual([
    { id: "U-01", text: "two lines" },
    { id: "U-02", text: "It works on Linux." },
  ]);
});

test("a missing number, and a tag without a sentence, are problems", () => {
  expect(promiseProblems([{ id: "U-02", text: "" }])).toEqual([
    "README.md: promises are numbered U-02, not from U-01 upwards",
    "U-02: the tag ends no sentence",
  ]);
});

test("a rule or promise that only long files test is a problem", () => {
  const report = JSON.stringify({
    testResults: [
      { name: "/r/test/a.long.test.ts", assertionResults: [one("[L-01] a"), one("[L-02] a")] },
      { name: "/r/test/b.test.ts", assertionResults: [one("[L-02] b")] },
    ],
  });
  expect(shortTestProblems(["L-01", "L-02"], readReports([report], "/r"))).toEqual([
    "L-01: only long files test it, and `npm test` leaves them out",
  ]);
});
