import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { REPORT_KINDS, type ReportKind, readTestReport } from "./test-report.ts";

const counts = (text: string, kind?: ReportKind) => {
  const report = readTestReport(text, kind ? { kind } : {});
  return report && [report.source, report.total, report.passed, report.failed, report.skipped];
};

const NODE_TAP = `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 0.5
  ...
not ok 2 - subtracts
ok 3 - divides # SKIP later
1..3
# tests 3
# suites 0
# pass 1
# fail 1
# cancelled 0
# skipped 1
# todo 0
# duration_ms 40.1
`;

describe("counts are read from the output of test programs", () => {
  test.each<[string, string, unknown]>([
    ["Node's totals", NODE_TAP, ["tap", 3, 1, 1, 1]],
    [
      "Node's totals beside a spec",
      "✔ adds (0.5ms)\nℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\n",
      ["tap", 2, 1, 1, 0],
    ],
    ["two runs in one output", "# tests 1\n# pass 1\n# tests 2\n# pass 2\n# fail 0\n", ["tap", 3, 3, 0, 0]],
    ["plain TAP", "1..3\nok 1\nnot ok 2 - b\nok 3 # TODO c\n", ["tap", 3, 1, 1, 1]],
    ["TAP that stops before its plan", "1..3\r\nok 1 - a\r\n", ["tap", 3, 1, 2, 0]],
    ["TAP with parts", "    ok 1 - inner\n    1..1\nok 1 - outer\n1..1\n", ["tap", 1, 1, 0, 0]],
    ["TAP of nothing", "1..0 # skip no tests\n", ["tap", 0, 0, 0, 0]],
    ["pytest", "===== 1 failed, 2 passed, 1 skipped, 3 warnings in 0.12s =====", ["pytest", 4, 2, 1, 1]],
    ["quiet pytest", "..\n2 passed in 61.00s (0:01:01)\n", ["pytest", 2, 2, 0, 0]],
    ["pytest's rarer words", "1 xfailed, 1 xpassed, 2 errors, 4 deselected in 1s", ["pytest", 4, 1, 2, 1]],
    ["pytest of nothing", "===== no tests ran in 0.01s =====", ["pytest", 0, 0, 0, 0]],
    [
      "cargo",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n" +
        "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 2 filtered out\n",
      ["cargo", 6, 4, 1, 1],
    ],
    ["bun", " 4 pass\n 1 skip\n 1 fail\nRan 6 tests across 1 file. [1.00s]\n", ["bun", 6, 4, 1, 1]],
    [
      "colored bun, twice in one output",
      "\u001b[0m\u001b[32m 1 pass\u001b[0m\n 0 fail\nRan 1 test across 1 file. [1ms]\n 2 pass\n 0 fail\nRan 2 tests across 2 files. [1ms]",
      ["bun", 3, 3, 0, 0],
    ],
    ["bun of nothing", "bun test v1.4.4 (38afee6c8)\nNo tests found!\n", ["bun", 0, 0, 0, 0]],
    [
      "go",
      '{"Action":"run","Package":"a","Test":"TestA"}\n{"Action":"pass","Package":"a","Test":"TestA"}\nnoise\n' +
        '{"Action":"fail","Package":"a","Test":"TestB"}\n{"Action":"skip","Package":"a","Test":"TestC"}\n' +
        '{"Action":"fail","Package":"a"}\n{"Action": broken\n{"other":1}\n',
      ["go", 3, 1, 1, 1],
    ],
    ["go of nothing", '{"Action":"skip","Package":"a"}\n', ["go", 0, 0, 0, 0]],
    [
      "vitest",
      '\n> a@1 test\n> vitest run --reporter=json\n\n{"numTotalTests":4,"numPassedTests":2,"numFailedTests":1}\n',
      ["vitest", 4, 2, 1, 1],
    ],
    ["jest", '{"numTotalTests":0,"numPassedTests":0,"numFailedTests":0,"success":true}', ["vitest", 0, 0, 0, 0]],
    [
      "vitest's closing line",
      "\u001b[2m      Tests \u001b[22m 1 failed | 2 passed | 1 todo (4)\n",
      ["summary", 4, 2, 1, 1],
    ],
    ["vitest of nothing", "      Tests  no tests\n", ["summary", 0, 0, 0, 0]],
    ["jest's closing line", "Tests:       1 failed, 1 skipped, 2 passed, 4 total\n", ["summary", 4, 2, 1, 1]],
  ])("%s", (_name, text, expected) => {
    expect(counts(text)).toEqual(expected);
  });

  test("a JUnit report counts its cases, whatever their text says", () => {
    const report = `<?xml version="1.0"?>
<!DOCTYPE testsuites [<!ENTITY a "b">
]>
<testsuites tests="99">
  <!-- <testcase name="no"/> -->
  <testsuite name="a > b" tests="6">
    <testcase name="passes" time="1"/>
    <testcase name="a &lt; b" note='/>'><system-out><![CDATA[<failure/></testcase><testcase/>]]></system-out></testcase>
    <testcase name="fails"><failure message="x">trace</failure></testcase>
    <testcase name="breaks"><skipped/><error/></testcase>
    <testcase name="waits"><skipped message="later"/></testcase>
    <testcase name="fails, then skips"><failure/><skipped/></testcase>
  </testsuite>
</testsuites>`;
    expect(counts(report)).toEqual(["junit", 6, 2, 3, 1]);
    expect(counts('<testsuite tests="0"></testsuite>')).toEqual(["junit", 0, 0, 0, 0]);
  });

  test("a truncated JUnit report gives the cases it contains", () => {
    expect(counts('<testsuite><testcase name="a"/><testcase name="b"><fail')).toEqual(["junit", 1, 1, 0, 0]);
    expect(counts('<testsuite><testcase name="a"><testcase name="b"/><testcase name="')).toEqual(["junit", 2, 2, 0, 0]);
  });
});

test.each([
  "",
  "all good, 12 tests passed",
  "ok",
  "ok  \texample.com/a\t0.1s",
  "3 passed in total",
  "3 cats in 4s",
  "test result: unknown",
  "test result: ok. many passed",
  "Tests were run",
  "Tests: 3 of them",
  "# tests 3",
  '{"numTotalTests":"3"}',
  '{"numTotalTests":3',
  '{"Action":1}',
  "<html></html>",
])("%j is no report", (text) => {
  expect(readTestReport(text)).toBeUndefined();
});

test("a named kind is read as nothing else", () => {
  expect(counts(NODE_TAP, "tap")).toEqual(["tap", 3, 1, 1, 1]);
  expect(counts(NODE_TAP, "pytest")).toBeUndefined();
});

test("a report beyond the limit is not read", () => {
  expect(readTestReport(`${"x".repeat(64 * 1024 * 1024)}\n1..0\n`)).toBeUndefined();
});

const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "open tags": (size) => "<testsuite>".concat("<".repeat(size)),
  "open quotes": (size) => `<testsuite a="${"<".repeat(size)}`,
  "open comments": (size) => `<testsuite>${"<!--".repeat(size / 4)}`,
  "one long line": (size) => `Tests  ${" ".repeat(size)}(`,
  "long rules": (size) => `${"=".repeat(size)} in `,
  "many short lines": (size) => "ok 1 # \n".repeat(size / 8),
  "open objects": (size) => `"numTotalTests""Action"${"\n{".repeat(size / 2)}`,
  escapes: (size) => "\u001b[".repeat(size / 2),
};

test.each(Object.keys(HOSTILE))("reading takes time in proportion to the text: %s", (name) => {
  const once = fastest(HOSTILE[name]?.(100_000) ?? "");
  const more = fastest(HOSTILE[name]?.(800_000) ?? "");
  // Quadratic reading would take 64 times as long. Times below some milliseconds only measure the clock.
  expect(more).toBeLessThan(32 * Math.max(once, 8));
});

function fastest(text: string): number {
  const times = [1, 2].map(() => {
    const start = cpuMs();
    for (const kind of REPORT_KINDS) readTestReport(text, kind ? { kind } : {});
    return cpuMs() - start;
  });
  return Math.min(...times);
}
