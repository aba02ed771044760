import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CharterRule } from "../../src/pipelines/charter.ts";
import { allBreaks } from "../breaks/all.ts";
import { BOOKS, type Book } from "./books.ts";
import { pageOf } from "./page.ts";
import { breakProblems, charterProblems, testProblems } from "./problems.ts";
import { readReport } from "./report.ts";
import { declares, ROOT } from "./sources.ts";

const written = BOOKS.filter(({ charter }) => charter.length > 0);
const breaks = await allBreaks();

test("314 rules are owed", () => {
  expect(BOOKS.flatMap(({ ids }) => ids)).toHaveLength(314);
});

test.each(written)("the charter of $pipeline is complete, in order, and names places that are there", (book) => {
  expect(charterProblems(book, ROOT)).toEqual([]);
});

test.each(Object.keys(breaks))("the text that the break of %s takes out stands once in its file", (id) => {
  const { file = "", from = "", to = "" } = breaks[id] ?? {};
  expect(readFileSync(join(ROOT, file), "utf8").split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});

const rule = (id: string, more: Partial<CharterRule> = {}): CharterRule => ({
  id,
  rule: "It holds.",
  kind: "gate",
  by: "core/retry.ts#upTo",
  ...more,
});
const book = (...charter: readonly CharterRule[]): Book => ({ pipeline: "small", ids: ["L-01", "L-02"], charter });

test("a charter that lacks a rule, names a stranger or a place that is not there is told so", () => {
  expect(charterProblems(book(), ROOT)).toEqual(["small: no charter yet, 2 rules are owed"]);
  expect(charterProblems(book(rule("L-02"), rule("L-03", { by: "core/retry.ts#gone" })), ROOT)).toEqual([
    "L-01: not in the charter of small",
    "L-03: no rule of small",
    "L-03: src/core/retry.ts declares no gone at its top level",
  ]);
  const strayed = book(rule("L-02", { by: "core/gone.ts#x" }), rule("L-01"));
  expect(charterProblems(strayed, ROOT)).toEqual([
    "small: the charter is not in order",
    "L-02: src/core/gone.ts is not there",
  ]);
});

const reportOf = (...tests: readonly { fullName: string; title: string; status: string }[]): string =>
  JSON.stringify({ testResults: [{ name: "/r/test/a.test.ts", assertionResults: tests }] });
const one = (title: string, status = "passed", above = "") => ({ fullName: `${above}${title}`, title, status });

test("tests are collected by every id that they or the group above them carry", () => {
  const group = "[L-02] a group ";
  const tests = readReport(
    reportOf(one("[L-01] [A-02] b"), one("c", "passed", group), one("[L-01] a", "failed"), one("[L-01] z", "skipped")),
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

test("a rule without a test, one whose test fails and one whose tests were all skipped are problems", () => {
  const tests = readReport(reportOf(one("[L-01] a", "failed"), one("[L-03] a", "skipped")), "/r");
  expect(testProblems(book(rule("L-03")), tests)).toEqual(["L-03: every test that carries its id was skipped"]);
  expect(testProblems(book(rule("L-01"), rule("L-02")), tests)).toEqual([
    "L-01: fails: a (test/a.test.ts)",
    "L-02: no test carries its id",
  ]);
});

test("every kind but code needs a break, and a break needs a rule", () => {
  const change = { file: "a", from: "b", to: "c" };
  const rules = book(rule("L-01"), rule("L-02", { kind: "code" }));
  expect(breakProblems([rules], { "L-09": change })).toEqual([
    "L-01: a gate without a break",
    "L-09: a break of no rule",
  ]);
});

test("the page does not depend on the order in which tests ran", () => {
  const tests = [one("[L-01] a"), one("[L-01] b|c"), one("[L-02] src/x.ts")];
  const pages = [tests, tests.toReversed()].map((list) =>
    pageOf([book(rule("L-01"), rule("L-02"))], readReport(reportOf(...list), "/r"), {}),
  );
  expect(pages[0]).toBe(pages[1]);
  expect(pages[0]).toContain("[test/a.test.ts](../test/a.test.ts): a · b\\|c | no |");
});

test.each([
  ["export const a = 1;", "a", true],
  ["async function a() {}", "a", true],
  ["  const a = 1;", "a", false],
  ["const ab = 1;", "a", false],
])("%j declares %s at its top level: %s", (text, name, is) => {
  expect(declares(text, name)).toBe(is);
});
