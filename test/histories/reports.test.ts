import { describe, expect, test } from "vitest";
import { getOutcomeWord } from "../../src/core/checks/outcome/explain-check.ts";
import { renderGithubReport } from "../../src/surfaces/reports/github.ts";
import { renderJunitReport } from "../../src/surfaces/reports/junit.ts";
import { problemsOfJUnit } from "../../src/surfaces/reports/junit-schema.fixture.ts";
import { renderMarkdownReport } from "../../src/surfaces/reports/markdown.ts";
import { formatReportDuration } from "../../src/surfaces/reports/markdown-text.ts";
import { buildReport } from "../../src/surfaces/reports/run-report.ts";
import { renderSarifReport } from "../../src/surfaces/reports/sarif.ts";
import { deduplicateEvidence, selectLatestChecks } from "../../src/views/evidence.ts";
import { selectLatestDecisions } from "../../src/views/gates.ts";
import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { STATES } from "../../src/views/states.ts";
import { histories } from "./history.ts";

describe.each(histories())("$file", ({ records }) => {
  const view = foldRunView(records);
  const report = buildReport(view, buildRunPage(records, NO_LIVE_STATE));
  const { spent } = view;

  test("json has every number of the view", () => {
    expect(report.spent).toEqual(spent);
    expect(report.head).toEqual(view.head);
    expect(report.lastAt - report.startedAt).toBe(view.lastAt - view.startedAt);
    expect(report.decisions.map(({ rules }) => rules)).toEqual(view.gates.map(({ rules }) => rules));
    expect(report.evidence.flatMap(({ evidence }) => evidence)).toHaveLength(view.evidence.length);
    expect(report.phases.map(({ ms, dispatches, retries }) => [ms, dispatches, retries])).toEqual(
      view.phases.map(({ ms, attempts, retries }) => [ms, attempts, retries]),
    );
    expect(report.dispatches.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(spent.attempts);
  });

  test("json and the page of the run agree in every number and every state", () => {
    const { head, rows } = buildRunPage(records, NO_LIVE_STATE);
    expect([report.state, report.status, report.exit]).toEqual([head.state, head.status, head.exit]);
    expect([report.startedAt, report.lastAt, report.base]).toEqual([head.startedAt, head.lastAt, head.base]);
    const { counts, tokens } = head;
    expect([counts.dispatches, counts.retried, counts.interrupted]).toEqual([
      spent.attempts,
      spent.retries,
      spent.interruptions,
    ]);
    expect([tokens.input, tokens.output]).toEqual([spent.inputTokens, spent.outputTokens]);
    expect(head.cost.known).toBeCloseTo(spent.usd, 6);
    const passed = selectLatestDecisions(view).filter((each) => each.passed).length;
    expect([counts.gatesPassed, counts.gatesMissed]).toEqual([passed, selectLatestDecisions(view).length - passed]);
    const shown = rows.flatMap((row) => (row.kind === "phase" ? [[row.title, row.state, row.ms, row.dispatches]] : []));
    const told = report.phases.map(({ title, shown: state, ms, dispatches }) => [title, state, ms, dispatches]);
    expect([...told].sort()).toEqual([...shown].sort());
    const who = rows.flatMap((row) => (row.kind === "dispatch" ? [[row.key, row.state, row.attempts.length]] : []));
    expect(report.dispatches.map(({ key, state, attempts }) => [key, state, attempts])).toEqual(who);
  });

  test("md shows the same attempts, money, tokens, rules and evidence rows", () => {
    const text = renderMarkdownReport(report);
    const { attempts, retries, interruptions } = spent;
    const said = /^- (\d+) attempts?, (\d+) retr(?:y|ies), (\d+) interruptions?$/m.exec(text) ?? [];
    expect(said.slice(1).map(Number)).toEqual([attempts, retries, interruptions]);
    if (spent.usd > 0) expect(text).toContain(`$${spent.usd.toFixed(2)}`);
    const tokens = /tokens (\d+) in, (\d+) out/.exec(text)?.slice(1).map(Number) ?? [0, 0];
    expect(tokens).toEqual([spent.inputTokens, spent.outputTokens]);
    const rules = view.gates.flatMap((gate) => gate.rules);
    expect(countRows(text, "| Rule | Found | Needs |")).toBe(rules.length);
    const seen = report.evidence.flatMap(({ evidence }) => deduplicateEvidence(evidence));
    expect(countRows(text, "| Check | When | Result |")).toBe(seen.length);
    expect(countRows(text, "| Phase | State |")).toBe(view.phases.length);
  });

  test("junit has a suite for each current check and gate, with its own numbers", () => {
    const text = renderJunitReport(report);
    expect(problemsOfJUnit(text)).toEqual([]);
    const [checks, gates] = [selectLatestChecks(view.evidence), selectLatestDecisions(view)];
    const suites = [...text.matchAll(/<testsuite [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"/g)];
    expect(suites.map((match) => match.slice(1).map(Number))).toEqual([
      ...checks.map((each) => {
        const word = getOutcomeWord(each);
        return [1, word === "failed" || word === "regression" ? 1 : 0, word === "not-run" ? 1 : 0];
      }),
      ...gates.map(({ rules }) => [rules.length, rules.filter(({ passed }) => !passed).length, 0]),
    ]);
  });

  test("sarif and the step summary count the current findings", () => {
    const findings = selectLatestDecisions(view).flatMap((each) => each.findings);
    // Its form has tests of its own.
    const { runs } = renderSarifReport(report, "0") as { runs: [{ results: object[] }] };
    const { summary } = renderGithubReport(report);
    expect(runs[0].results.length).toBeGreaterThanOrEqual(findings.length);
    expect(countRows(summary, "|  | By | Finding |")).toBe(Math.min(200, runs[0].results.length));
    expect(summary).toContain(formatReportDuration(view.lastAt - view.startedAt));
    expect(summary).toContain(` ${spent.attempts} attempt`);
  });

  test("a run that ended well is green unless a person accepted a missed gate", () => {
    const missed = selectLatestDecisions(view).some(({ passed }) => !passed);
    if (report.exit === 0) expect([report.state, report.status]).toEqual([missed ? "ended" : "done", "done"]);
  });

  test("green wording is used for evidence and gates only", () => {
    const text = renderMarkdownReport(report);
    const dispatches = text.split("## Dispatches")[1]?.split("\n## ")[0] ?? "";
    expect(dispatches).not.toContain(STATES.passed.glyph);
    const missed = selectLatestDecisions(view).some(({ passed }) => !passed);
    if (missed) expect(text.split("\n")[0]).not.toContain(STATES.done.glyph);
  });
});

/** How many rows the tables with this heading have together. */
function countRows(text: string, head: string): number {
  const lines = text.split("\n");
  return lines
    .flatMap((line, at) => (line.startsWith(head) ? [at] : []))
    .map((at) => lines.slice(at + 2).findIndex((line) => !line.startsWith("|")))
    .reduce((sum, rows) => sum + rows, 0);
}
