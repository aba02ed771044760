import { expect, test } from "vitest";
import { escapeRunnerCommands } from "../../core/text/runner-commands.ts";
import { renderGithubReport, SUMMARY_BYTES } from "./github.ts";
import { renderMarkdownReport } from "./markdown.ts";
import { CHECK, HOSTILE, reportWith } from "./report.fixture.ts";

const FINDING = { severity: "blocker", message: "50% of\nthem: fail", files: ["src/a,b.ts:7"] } as const;

test("a finding is an annotation at its line, escaped for the runner", () => {
  const { annotations } = renderGithubReport(reportWith([FINDING], []));
  expect(annotations).toEqual(["::error file=src/a%2Cb.ts,line=7,title=good enough::50%25 of%0Athem: fail"]);
});

test("at most ten annotations of each kind are shown, and the others are counted", () => {
  const findings = Array.from({ length: 13 }, (_, at) => ({ severity: "major", message: `number ${at}` }) as const);
  const failing = Array.from({ length: 11 }, (_, at) => `t.js › case ${at}`);
  const tests = { total: 11, passed: 0, failed: 11, skipped: 0, source: "vitest", failing };
  const { annotations } = renderGithubReport(reportWith(findings, [{ ...CHECK, tests }]));
  expect(annotations.filter((line) => line.startsWith("::warning "))).toHaveLength(10);
  expect(annotations.filter((line) => line.startsWith("::error file=t.js,title=test fails::"))).toHaveLength(10);
  expect(annotations.filter((line) => !line.startsWith("::"))).toEqual([
    "signalbox: 1 more of kind error; see the report for all of them",
    "signalbox: 4 more of kind warning; see the report for all of them",
  ]);
});

const hostile = () => {
  const tests = { total: 1, passed: 0, failed: 1, skipped: 0, source: "vitest", failing: [`a.js › ${HOSTILE}`] };
  const seen = { ...CHECK, task: HOSTILE, check: HOSTILE, command: HOSTILE, snippet: `x\n${HOSTILE}\n:: y`, tests };
  return reportWith([{ severity: "blocker", message: HOSTILE, files: [HOSTILE], by: HOSTILE }], [seen]);
};

test("text of an agent cannot start a workflow command in either syntax", () => {
  const { summary, annotations } = renderGithubReport(hostile());
  expect(summary).not.toMatch(/^\s*::/m);
  expect(summary).not.toContain("##[");
  for (const line of annotations) expect(line).toMatch(/^::(?:error|warning|notice) [^\n]*$/);
  expect(annotations.join("\n")).not.toMatch(/^::(?:set-output|add-mask)/m);
  expect(escapeRunnerCommands("a ::b\n  ::c\n##[d]")).toBe("a ::b\n  :\u2060:c\n##\u2060[d]");
});

test("text of an agent cannot leave its table cell, code fence or collapsed section", () => {
  for (const text of [renderGithubReport(hostile()).summary, renderMarkdownReport(hostile())]) {
    const fences = [...text.matchAll(/^(`{3,})$/gm)].map((match) => match[1] ?? "");
    expect(fences.length % 2).toBe(0);
    const outside = text.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, "").replaceAll(/(`+)(?:(?!\1)[^\n])+?\1(?!`)/g, "");
    expect(outside).not.toMatch(/(?<!\\)<(?:script|\/details>\s*\|)/);
    for (const table of tableWidths(text.replace(/^(`{3,})\n[\s\S]*?\n\1$/gm, ""))) expect(new Set(table).size).toBe(1);
  }
});

/** Counts the cells in each row of each table. */
function tableWidths(text: string): readonly (readonly number[])[] {
  const cells = (line: string) => line.replaceAll(/\\./g, "").split("|").length;
  return text
    .split(/\n(?!\|)/)
    .map((part) =>
      part
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .map(cells),
    )
    .filter((rows) => rows.length > 0);
}

test("a summary stays within the size limit and says that it was cut", () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ ...CHECK, check: `c${at}`, snippet: "y".repeat(9_000) }));
  const { summary } = renderGithubReport(reportWith([], many));
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(SUMMARY_BYTES);
  expect(summary).toContain("This summary is incomplete");
  expect(renderGithubReport(reportWith([], many), 3_000).summary.length).toBeLessThanOrEqual(3_000);
  expect(renderGithubReport(reportWith([], many), 10).summary).toBe("");
});
