import { expect, test } from "vitest";
import { listLocations } from "./finding-locations.ts";
import { CHECK, HOSTILE, reportWith } from "./report.fixture.ts";
import { renderSarifReport } from "./sarif.ts";

type Result = {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly object[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
};
type Log = {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly Result[];
    readonly invocations: readonly { readonly executionSuccessful: boolean }[];
  }[];
};
// The tests below check the format itself.
const logOf = (...given: Parameters<typeof reportWith>) => renderSarifReport(reportWith(...given), "0.1.0") as Log;
const resultsOf = (...given: Parameters<typeof reportWith>) => logOf(...given).runs[0]?.results ?? [];

const FINDINGS = [
  { severity: "blocker", message: "the token is logged", files: ["src/a b.ts:88"], by: "security" },
  { severity: "major", message: "W-1: the test must pass (is 0, needs 1)" },
  { severity: "minor", message: "a name is unclear (src/b.ts)" },
] as const;

test("a log has what the schema requires: version, tool, rules by index, messages", () => {
  const { version, runs } = logOf(FINDINGS);
  expect([version, runs.length, runs[0]?.tool.driver.name]).toEqual(["2.1.0", 1, "signalbox"]);
  const { results = [], tool } = runs[0] ?? {};
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ["good enough/security", "error"],
    ["W-1", "warning"],
    ["good enough", "note"],
    ["check/test", "warning"],
  ]);
  for (const { ruleId, ruleIndex, message } of results) {
    expect(tool?.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(message.text.length).toBeGreaterThan(0);
  }
  expect(runs[0]?.invocations).toMatchObject([{ executionSuccessful: false, exitCode: 1 }]);
});

test("a finding points at its file and line, relative to the source root", () => {
  const [first, second, third] = resultsOf(FINDINGS);
  const at = (uri: string) => ({ artifactLocation: { uri, uriBaseId: "%SRCROOT%" } });
  expect(first?.locations).toEqual([{ physicalLocation: { ...at("src/a%20b.ts"), region: { startLine: 88 } } }]);
  expect(second?.locations).toEqual([]);
  expect(third?.locations).toEqual([{ physicalLocation: at("src/b.ts") }]);
});

test("locations outside the repository and texts that are no path are omitted", () => {
  const files = [
    "../../etc/passwd",
    "/etc/passwd",
    "file:///x",
    "a//b",
    "a\u0000b",
    "src/c.ts#L7",
    "./d.ts:3:9",
    "e.ts:4-9",
  ];
  expect(listLocations({ message: "x", files })).toEqual([
    { file: "src/c.ts", line: 7 },
    { file: "d.ts", line: 3 },
    { file: "e.ts", line: 4 },
  ]);
});

test("a finding has the same fingerprint in another run with other numbers and lines", () => {
  const print = (message: string, file: string) =>
    resultsOf([{ severity: "major", message, files: [file] }])[0]?.partialFingerprints;
  const now = print("3 of 7 fail at 1a2b3c4d", "src/a.ts:10");
  expect(print("4  of 9 fail at ffee0011", "src/a.ts:99")).toEqual(now);
  expect(print("3 of 7 fail at 1a2b3c4d", "src/b.ts:10")).not.toEqual(now);
  expect(print("3 of 7 succeed", "src/a.ts:10")).not.toEqual(now);
});

test("hostile text is data only", () => {
  const [result] = resultsOf([{ severity: "major", message: HOSTILE, files: [HOSTILE] }]);
  expect(result?.message.text).toBe(HOSTILE);
  expect(result?.locations).toEqual([]);
});

test("a failing command has a result, also if no gate reports it", () => {
  const names = ["adds", "subtracts", "divides", "rounds", "prints"];
  const tests = { total: 5, passed: 0, failed: 5, skipped: 0, source: "tap", failing: names };
  const seen = { ...CHECK, outcome: "failed", tests } as const;
  expect(resultsOf([], [seen])).toMatchObject([
    { ruleId: "check/test", level: "warning", message: { text: "test: failed: adds; subtracts; divides and 2 more" } },
  ]);
  const told = { severity: "major", message: "test fails: adds", by: "check" } as const;
  expect(resultsOf([told], [seen]).map(({ ruleId }) => ruleId)).toEqual(["good enough/check"]);
  // A gate that reports it as minor has not reported it.
  expect(resultsOf([{ ...told, severity: "minor" }], [seen])).toHaveLength(2);
});
