import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { type RequestedReport, readRequestedReport } from "./requested-report.ts";
import { countRequestedReports, isNothingCollected } from "./test-report.ts";

const TOP = "/tmp/checkout";
const BEGUN = `{"report":1,"runner":"mocha","cwd":"${TOP}"}`;
const FINISHED = '{"finished":true}';
const ADDS = `{"file":"${TOP}/test/a.js","path":["group","adds"],"end":"passed"}`;

test("a finished report gives every test", () => {
  const broken = `{"file":"${TOP}/test/b.js","end":"uncollected"}`;
  const nowhere = '{"file": null, "path": ["setUpClass (a.B)"], "end": "failed"}';
  expect(readRequestedReport([BEGUN, ADDS, broken, nowhere, FINISHED, ""].join("\n"))).toEqual({
    runner: "mocha",
    cwd: TOP,
    tests: [
      { file: `${TOP}/test/a.js`, path: ["group", "adds"], end: "passed" },
      { file: `${TOP}/test/b.js`, path: [], end: "uncollected" },
      { file: undefined, path: ["setUpClass (a.B)"], end: "failed" },
    ],
  });
});

test.each([
  ["without its last line", [BEGUN, ADDS], "mocha started a report and did not finish it"],
  ["that breaks off in a line", [BEGUN, ADDS.slice(0, 20)], "mocha started a report and did not finish it"],
  ["that goes on after its end", [BEGUN, FINISHED, ADDS, FINISHED], "something wrote into mocha's report"],
  ["with a line of another form", [BEGUN, '{"end":"passed"}', FINISHED], "a line of mocha's report cannot be read"],
  ["without its first line", [ADDS, FINISHED], "a file that is not a report was written beside the reports"],
])("[A-20] a report %s is no report", (_what, lines, problem) => {
  expect(readRequestedReport(lines.join("\n"))).toEqual({ problem });
});

const report = (runner: RequestedReport["runner"], tests: RequestedReport["tests"], cwd = TOP): RequestedReport => ({
  runner,
  cwd,
  tests,
});

test("[A-22] names begin below the checkout and are one line each", () => {
  const counts = countRequestedReports(
    [
      report("go", [
        { file: TOP, path: ["TestA"], end: "passed" },
        { file: `${TOP}/sub`, path: ["TestB", "a\nb"], end: "skipped" },
        { file: "/elsewhere/c.js", path: [], end: "passed" },
      ]),
    ],
    [TOP],
  );
  expect(counts).toEqual({
    ...{ passed: 2, failed: 0, skipped: 1, total: 3, source: "go", asked: true },
    names: { ". › TestA": "passed", "sub › TestB › a b": "skipped", "/elsewhere/c.js": "passed" },
  });
});

test("several programs add up in an order of their own, and equal names are numbered", () => {
  const same = (end: "passed" | "failed") => ({ file: `${TOP}/a.js`, path: ["same"], end });
  const own = { file: `${TOP}/a.js`, path: ["same #2"], end: "skipped" as const };
  const [mocha, ava] = [report("mocha", [same("failed")]), report("ava", [own, same("passed"), same("passed")])];
  const counts = countRequestedReports([mocha, ava], [TOP]);
  expect(counts?.names).toEqual({
    "a.js › same #2": "skipped",
    "a.js › same": "passed",
    "a.js › same #3": "passed",
    "a.js › same #4": "failed",
  });
  expect(counts).toEqual(countRequestedReports([ava, mocha], [TOP]));
  expect(counts).toMatchObject({ total: 4, source: "ava" });
});

test("[A-20] an empty collection is distinguished from failed tests", () => {
  const broken = { file: `${TOP}/b.js`, path: [], end: "uncollected" as const };
  const only = countRequestedReports([report("jest", [broken])], [TOP]);
  expect(only).toMatchObject({ total: 1, failed: 1, uncollected: ["b.js"] });
  expect(only?.names).toEqual({ "b.js (cannot be collected)": "failed" });
  expect(only && isNothingCollected(only)).toBe(true);
  const beside = countRequestedReports([report("jest", [broken, { path: ["a"], end: "failed" }])], [TOP]);
  expect(beside && isNothingCollected(beside)).toBe(false);
  expect(countRequestedReports([], [TOP])).toBeUndefined();
});

test("a name that a prototype would swallow is a name", () => {
  const counts = countRequestedReports([report("jest", [{ path: ["__proto__"], end: "failed" }])], []);
  expect(JSON.stringify(counts?.names)).toBe('{"__proto__":"failed"}');
});

test.each([
  ["equal names", (size: number) => [BEGUN, ...Array<string>(size / 80).fill(ADDS), FINISHED]],
  ["open lines", (size: number) => [BEGUN, "[".repeat(size), FINISHED]],
  ["many ends", (size: number) => [BEGUN, ...Array<string>(size / 20).fill(FINISHED)]],
])("reading takes time in proportion to the text: %s", (_name, lines) => {
  const [once, more] = [100_000, 800_000].map((size) => fastest(lines(size).join("\n")));
  expect(more).toBeLessThan(32 * Math.max(once ?? 0, 8));
});

function fastest(text: string): number {
  const times = [1, 2].map(() => {
    const start = cpuMs();
    const read = readRequestedReport(text);
    if ("tests" in read) countRequestedReports([read], [TOP]);
    return cpuMs() - start;
  });
  return Math.min(...times);
}
