import { explainSkippedExam } from "../../core/checks/exam/exam-run-words.ts";
import { explainCheck, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import type { TestNames } from "../../core/checks/reports/test-report.ts";
import { selectLatestGates } from "../../core/journal/gate-place.ts";
import { type EvidenceReport, selectLatestChecks } from "../../views/evidence.ts";
import type { DecisionReport, RuleReport } from "../../views/gates.ts";
import { toCheckState } from "../../views/page/rows/check-rows.ts";
import { STATES } from "../../views/states.ts";
import type { RunReport } from "./run-report.ts";
import { escapeXmlText, renderElement } from "./xml-text.ts";

/** Test names of a check, by the digest that its record refers to. */
export type NamesByDigest = ReadonlyMap<string, TestNames>;

/** More than CI systems display. */
const MAX_CASES = 20_000;
const MAX_OUTPUT = 64 * 1024;

/**
 * Renders the final results as a JUnit report: one suite per check, with its tests if their names are known, and one
 * per gate, with its rules. Follows the strictest of the known schemas: no attributes on the root, all attributes on a
 * suite, elements in a fixed order.
 */
export function renderJunitReport(report: RunReport, names: NamesByDigest = new Map()): string {
  const checks = selectLatestChecks(report.evidence.flatMap(({ evidence }) => evidence));
  const suites = [
    ...checks.map((seen) => toCheckSuite(seen, names.get(seen.tests?.names ?? ""))),
    ...selectLatestGates(report.decisions).map(toGateSuite),
  ];
  const facts = { run: report.run, pipeline: report.pipeline };
  const texts = suites.map((suite, id) => renderSuite({ ...suite, facts: { ...facts, ...suite.facts } }, id));
  const root = texts.length === 0 ? ["<testsuites/>"] : ["<testsuites>", ...texts, "</testsuites>"];
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...root].join("\n")}\n`;
}

type JunitCase = {
  readonly name: string;
  readonly classname: string;
  readonly ms?: number;
  readonly end?: { readonly kind: "failure" | "error" | "skipped"; readonly message: string; readonly text?: string };
};

type JunitSuite = {
  readonly name: string;
  readonly package: string;
  readonly at: number;
  readonly ms: number;
  readonly cases: readonly JunitCase[];
  readonly facts: Readonly<Record<string, string>>;
  readonly output: string;
};

function toCheckSuite(seen: EvidenceReport, names: TestNames = {}): JunitSuite {
  const { check, task, command, tree, digest, exitCode, ts, ms } = seen;
  // The exam did not run: the recorded tests and output belong to another suite.
  const didRun = explainSkippedExam(seen) === undefined;
  const known = didRun ? Object.entries(names) : [];
  const facts = { command, tree, digest, outcome: getOutcomeWord(seen), exit: String(exitCode ?? "none") };
  const cut = known.length > MAX_CASES ? { "tests-left-out": String(known.length - MAX_CASES) } : {};
  return {
    name: task === "" ? check : `${task} › ${check}`,
    package: "checks",
    at: ts,
    ms,
    facts: { ...facts, ...cut },
    output: didRun ? getOutput(seen) : "",
    cases: [toCommandCase(seen), ...known.slice(0, MAX_CASES).map(([name, end]) => toTestCase(seen, name, end))],
  };
}

/**
 * Reports the exit of the command itself. A command that exits with 0 may have lost tests, and one that exits with 1
 * may have passed all it counted.
 */
function toCommandCase(seen: EvidenceReport): JunitCase {
  const unneeded = explainSkippedExam(seen);
  const state = toCheckState(seen);
  const base = { name: seen.command || seen.check, classname: seen.check, ms: seen.ms };
  const message = [STATES[state].word, explainCheck(seen)].filter(Boolean).join(": ");
  if (unneeded !== undefined) return { ...base, end: { kind: "skipped", message: unneeded } };
  if (state === "passed") return base;
  if (state === "failed") return { ...base, end: { kind: "failure", message, text: getOutput(seen) } };
  // A check that could not run is an error. A result that was red before or is flaky is not a failure of the work.
  return { ...base, end: { kind: state === "not-run" ? "error" : "skipped", message } };
}

function toTestCase(seen: EvidenceReport, name: string, end: TestNames[string]): JunitCase {
  const parts = name.split(" › ");
  const [title, above] = [parts.at(-1) ?? name, parts.slice(0, -1).join(" › ")];
  const base = { name: title, classname: above || seen.check };
  if (end === "passed") return base;
  if (end === "skipped") return { ...base, end: { kind: "skipped", message: STATES.skipped.word } };
  const state = toCheckState(seen);
  if (state === "red-before" || state === "flaky")
    return { ...base, end: { kind: "skipped", message: `${STATES[state].word}: ${STATES[state].means}` } };
  return { ...base, end: { kind: "failure", message: `${name} fails`, text: getOutput(seen) } };
}

function getOutput({ excerpt, snippet }: EvidenceReport): string {
  return (excerpt ?? snippet).slice(-MAX_OUTPUT);
}

function toGateSuite({ gate, at, tree, rules, findings, key }: DecisionReport): JunitSuite {
  const output = findings.map(({ severity, message }) => `${severity}: ${message}`).join("\n");
  return {
    name: gate,
    package: "gates",
    at,
    ms: 0,
    facts: { step: key, ...(tree === undefined ? {} : { tree }) },
    output: output.slice(0, MAX_OUTPUT),
    cases: rules.map((rule) => toRuleCase(gate, rule)),
  };
}

function toRuleCase(gate: string, { rule, passed, actual, need }: RuleReport): JunitCase {
  const base = { name: rule, classname: gate };
  if (passed) return base;
  const message = `${STATES.missed.word}: found ${JSON.stringify(actual)}, needs ${JSON.stringify(need)}`;
  return { ...base, end: { kind: "failure", message } };
}

function renderSuite({ name, package: of, at, ms, cases, facts, output }: JunitSuite, id: number): string {
  const countCases = (kind: string): number => cases.filter(({ end }) => end?.kind === kind).length;
  const counts = {
    tests: cases.length,
    failures: countCases("failure"),
    errors: countCases("error"),
    skipped: countCases("skipped"),
  };
  const timestamp = new Date(at).toISOString().slice(0, 19);
  const properties = Object.entries(facts).map(([key, value]) => renderElement("property", { name: key, value }));
  const attributes = { name, package: of, id, timestamp, hostname: "localhost", ...counts, time: toSeconds(ms) };
  return renderElement("testsuite", attributes, [
    "\n",
    `${renderElement("properties", {}, properties)}\n`,
    ...cases.map((each) => `${renderCase(each)}\n`),
    `${renderElement("system-out", {}, [escapeXmlText(output)])}\n`,
    "<system-err/>\n",
  ]);
}

function renderCase({ name, classname, ms = 0, end }: JunitCase): string {
  const attributes = { name, classname, time: toSeconds(ms) };
  if (!end) return renderElement("testcase", attributes);
  const { kind, message, text } = end;
  const attributesOfEnd = kind === "skipped" ? { message } : { message, type: kind };
  return renderElement("testcase", attributes, [
    renderElement(kind, attributesOfEnd, text === undefined ? [] : [escapeXmlText(text)]),
  ]);
}

const toSeconds = (ms: number): string => (ms / 1000).toFixed(3);
