import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENT_PROGRAMS } from "../../src/drivers/index.ts";
import { casesIn, casesOfSuites, ROOT, withAdded } from "./cases.ts";
import { pageOf } from "./page.ts";
import { problemsOf } from "./problems.ts";
import { programsOfSuite } from "./programs.ts";
import { readResults } from "./results.ts";

const programs = await programsOfSuite();
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

describe("bench/results/compatibility.md", () => {
  const page = read("bench/results/compatibility.md");

  test("has exactly the programs and versions that the suite is pinned to", () => {
    const rows = [...page.matchAll(/^\| (\w+) \| `[^`]+` \| ([\w.]+) \|/gm)].map(([, name, version]) => [
      name,
      version,
    ]);
    expect(rows).toEqual(programs.map(({ name, version }) => [name, version]));
  });

  test("has every case of the suites; `npm run compatibility -- --added` names new ones", () => {
    const cases = casesOfSuites();
    expect(cases.length).toBeGreaterThan(25);
    expect(cases.filter(({ shown }) => !shown.test(page)).map(({ title }) => title)).toEqual([]);
  });

  test("is of a run without failures", () => {
    expect(page).toMatch(/ passed, 0 failed, /);
  });
});

test("doctor compares with the versions of the suite", () => {
  const tried = AGENT_PROGRAMS.flatMap(({ program, tried: version }) =>
    version === undefined ? [] : [[program, version]],
  );
  expect(tried.sort()).toEqual(programs.map(({ name, version }) => [name, version]));
});

const createAssertion = (above: string, title: string, status = "passed") => ({
  ancestorTitles: [above],
  title,
  status,
});
const createReport = (...tests: readonly object[]): string =>
  JSON.stringify({ startTime: 0, testResults: [{ assertionResults: tests }] });

const REPORT = createReport(
  createAssertion("the real a driver", "[A-17] works"),
  createAssertion("the real b driver", "works", "failed"),
  createAssertion("the real a driver", "stops (it never does)", "skipped"),
  createAssertion("the real b driver", "stops"),
  createAssertion("the real b", "has x|y of its own"),
  createAssertion("a whole run", "with the real a:big ends"),
  createAssertion("a whole run", "of fakes ends"),
  createAssertion("the real c (c@1 could not be had)", "works", "skipped"),
);

test("results are grouped by program, with the reasons of skipped cases and the missing programs", () => {
  const { programs: found, together, absent } = readResults(REPORT);
  expect([...found.keys()]).toEqual(["a", "b"]);
  expect(found.get("a")).toEqual([
    { group: "driver", title: "works", outcome: "passed" },
    { group: "driver", title: "stops", outcome: "skipped", reason: "it never does" },
  ]);
  expect(together.map(({ title }) => title)).toEqual(["with the real a:big ends"]);
  expect(absent).toEqual(["the real c (c@1 could not be had)"]);
});

test("a report without a program, or with a case skipped without a reason, is not published", () => {
  const half = readResults(
    createReport(
      createAssertion("the real a driver", "works"),
      createAssertion("a whole run", "with the real a", "skipped"),
    ),
  );
  expect(problemsOf(half, [{ name: "a" }, { name: "c" }])).toEqual([
    "c: no results in the report",
    "a whole run: skipped, perhaps because its program was not there: with the real a",
  ]);
  expect(problemsOf(readResults(REPORT), [{ name: "a" }])).toEqual([
    "the real c (c@1 could not be had): was not there",
  ]);
});

test("the page separates shared from program-specific cases, and failures from reasons", () => {
  const can = { schema: true, resume: false, cost: false, permissions: false, cancel: false };
  const two = ["a", "b"].map((name) => ({ name, package: name, version: "1", can }));
  const page = pageOf({ programs: two, untried: [], results: readResults(REPORT), where: "here" });
  expect(page).toContain("| works | ✓ | ✗ |\n| stops | – (1) | ✓ |\n\n1. it never does");
  expect(page).toContain("### b\n\n- ✓ has x\\|y of its own");
  expect(page).toContain("4 passed, 1 failed, 1 skipped");
});

test("cases newer than the run are listed below it until a run includes them", () => {
  const cases = casesIn(
    '  it("works", async () => {\n  test("[A-17] has a_b", f);\n  ] as const)("answers %i: %s", g);\n',
  );
  expect(cases.map(({ title }) => title)).toEqual(["works", "has a_b", "answers %i: %s"]);
  const page = "| works | ✓ |\n| answers 401: auth | ✓ |\n";
  const added = withAdded(page, cases);
  expect(added).toBe(`${page}\n## Added since that run\n\n- has a\\_b\n`);
  expect(withAdded(added, cases)).toBe(added);
  expect(withAdded(`${page}| has a\\_b | ✓ |\n`, cases)).toBe(`${page}| has a\\_b | ✓ |\n`);
});
