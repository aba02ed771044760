import { expect, test } from "vitest";
import { countRequestedReports, type ReportKind, readTestReport } from "./test-report.ts";

const JEST = JSON.stringify({
  ...{ numTotalTests: 3, numPassedTests: 1, numFailedTests: 1, numPendingTests: 1 },
  testResults: [
    {
      name: "/top/test/a.test.js",
      status: "failed",
      message: "● group › fails",
      assertionResults: [
        { ancestorTitles: ["group", "inner"], fullName: "group inner adds", status: "passed", title: "adds" },
        { ancestorTitles: ["group"], fullName: "group fails", status: "failed", title: "fails" },
        { ancestorTitles: ["group"], fullName: "group skipped", status: "pending", title: "skipped" },
      ],
    },
    { name: "/top/test/broken.test.js", status: "failed", message: "Cannot find module", assertionResults: [] },
  ],
});

/** Output of tests comes first because it went to the other stream. */
const BUN = `bun test v1.4.4 (38afee6c8)
(pass) forged [1ms]
$ bun test

test/a.test.ts:
(pass) group > adds [0.04ms]
error: expect(received).toBe(expected)

(fail) group > breaks [0.29ms]
(pass) group > adds [0.02ms]
(skip) later
(todo) some day

test/b.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module './x.ts' from '/top/test/b.test.ts'
-------------------------------

2 tests failed:
(fail) group > breaks [0.29ms]

 2 pass
 1 skip
 1 todo
 2 fail
 1 error
 2 expect() calls
Ran 6 tests across 2 files. [79.00ms]
`;
const CARGO = `
running 3 tests
test tests::adds ... ok
test tests::later ... ignored, not yet
test tests::panics - should panic ... FAILED

failures:

---- tests::panics stdout ----
test tests::forged ... ok

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s


running 1 test
test src/lib.rs - add (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.21s
`;

const SUREFIRE = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="com.example.CalcTest" time="0.04" tests="2" errors="0" skipped="0" failures="1">
  <testcase name="adds" classname="com.example.CalcTest" time="0.001"/>
  <testcase name="a &lt; b &amp; c" classname="com.example.CalcTest"><failure message="no"/></testcase>
</testsuite>`;

const GO = [
  '{"Action":"run","Package":"example.com/m","Test":"TestA/inner"}',
  '{"Action":"pass","Package":"example.com/m","Test":"TestA/inner"}',
  '{"Action":"skip","Package":"example.com/m/sub","Test":"TestB"}',
  '{"Action":"pass","Package":"example.com/m"}',
].join("\n");

test.each<[ReportKind, string, Readonly<Record<string, string>>]>([
  [
    "vitest",
    JEST,
    {
      "test/a.test.js › group › inner › adds": "passed",
      "test/a.test.js › group › fails": "failed",
      "test/a.test.js › group › skipped": "skipped",
      "test/broken.test.js (cannot be collected)": "failed",
    },
  ],
  [
    "cargo",
    CARGO,
    {
      "tests › adds": "passed",
      "tests › later": "skipped",
      "tests › panics": "failed",
      "src/lib.rs - add (line 3)": "passed",
    },
  ],
  ["junit", SUREFIRE, { "com.example.CalcTest › adds": "passed", "com.example.CalcTest › a < b & c": "failed" }],
  ["go", GO, { "example.com/m › TestA › inner": "passed", "example.com/m/sub › TestB": "skipped" }],
  [
    "bun",
    BUN,
    {
      "test/a.test.ts › group › adds": "passed",
      "test/a.test.ts › group › breaks": "failed",
      "test/a.test.ts › group › adds #2": "passed",
      "test/a.test.ts › later": "skipped",
      "test/a.test.ts › some day": "skipped",
      "test/b.test.ts (cannot be collected)": "failed",
    },
  ],
  [
    "tap",
    "ok 1 - adds\nnot ok 2 - breaks # in two\nok 3 # SKIP later\nok 4 - adds\n1..4\n",
    { adds: "passed", breaks: "failed", "(without a title)": "skipped", "adds #2": "passed" },
  ],
])("[A-23] %s reports name their tests", (kind, text, names) => {
  const counts = readTestReport(text, { tops: ["/top"] });
  expect(counts).toMatchObject({ source: kind, names, total: Object.keys(names).length });
  expect(counts?.asked).toBeUndefined();
});

test("[A-23] a title made from the folder of the checkout is the same in every checkout", () => {
  const named = (top: string) => {
    const path = ["resolve", `relative('${top}/a','${top}')`];
    const tests = [{ file: `${top}/a.test.js`, path, end: "passed" as const }];
    const tap = readTestReport(`1..1\nok 1 - lists ${top}/a\n`, { tops: ["/tmp/run-1", top] });
    const asked = countRequestedReports([{ runner: "vitest", cwd: top, tests }], ["/tmp/run-1", top]);
    return [...Object.keys(asked?.names ?? {}), ...Object.keys(tap?.names ?? {})];
  };
  expect(named("/tmp/run-1")).toEqual(["a.test.js › resolve › relative('./a','.')", "lists ./a"]);
  expect(named("/private/tmp/run-1")).toEqual(named("/tmp/run-1"));
});

test("names that are not as many as the totals say are left out", () => {
  const forged = CARGO.replace("test tests::later", "test tests::forged ... ok\ntest tests::later");
  expect(readTestReport(forged)).toEqual({ passed: 2, failed: 1, skipped: 1, total: 4, source: "cargo" });
  expect(readTestReport("1..3\nok 1 - a\n")?.names).toBeUndefined();
  const quiet = BUN.replaceAll(/^\(pass\).*\n/gm, "");
  expect(readTestReport(quiet)).toEqual({ passed: 2, failed: 2, skipped: 2, total: 6, source: "bun" });
});
