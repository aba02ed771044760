import { unsat } from "../../core/checks/exam/sitting-words.ts";
import { becauseOf, wordOf } from "../../core/checks/outcome/because.ts";
import type { TestNames } from "../../core/checks/reports/test-report.ts";
import { standingIn } from "../../core/journal/gate-place.ts";
import { type EvidenceReport, standingChecks } from "../../views/evidence.ts";
import type { DecisionReport, RuleReport } from "../../views/gates.ts";
import { checkState } from "../../views/page/rows/check-rows.ts";
import { STATES } from "../../views/states.ts";
import type { RunReport } from "./run-report.ts";
import { element, xmlText } from "./xml-text.ts";

/** Every test of a check by its name, under the digest that its record has. */
export type NamesByDigest = ReadonlyMap<string, TestNames>;

/** More than a CI system shows. */
const MOST_CASES = 20_000;
const MOST_OUTPUT = 64 * 1024;

/**
 * What stands at the end as a JUnit report: a suite for each check, with its tests where they are known by name, and one
 * for each gate, with its rules. Written as the stricter of the known schemas has it: no attribute on the root, every
 * attribute on a suite, its parts in their order.
 */
export function junitReport(report: RunReport, names: NamesByDigest = new Map()): string {
  const checks = standingChecks(report.evidence.flatMap(({ evidence }) => evidence));
  const suites = [
    ...checks.map((seen) => checkSuite(seen, names.get(seen.tests?.names ?? ""))),
    ...standingIn(report.decisions).map(gateSuite),
  ];
  const facts = { run: report.run, pipeline: report.pipeline };
  const texts = suites.map((suite, id) => suiteText({ ...suite, facts: { ...facts, ...suite.facts } }, id));
  const root = texts.length === 0 ? ["<testsuites/>"] : ["<testsuites>", ...texts, "</testsuites>"];
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...root].join("\n")}\n`;
}

type Case = {
  readonly name: string;
  readonly classname: string;
  readonly ms?: number;
  readonly end?: { readonly kind: "failure" | "error" | "skipped"; readonly message: string; readonly text?: string };
};

type Suite = {
  readonly name: string;
  readonly package: string;
  readonly at: number;
  readonly ms: number;
  readonly cases: readonly Case[];
  readonly facts: Readonly<Record<string, string>>;
  readonly output: string;
};

function checkSuite(seen: EvidenceReport, names: TestNames = {}): Suite {
  const { check, task, command, tree, digest, exitCode, ts, ms } = seen;
  // Nothing was sat: the tests and the output that it names are those of another suite.
  const isSat = unsat(seen) === undefined;
  const known = isSat ? Object.entries(names) : [];
  const facts = { command, tree, digest, outcome: wordOf(seen), exit: String(exitCode ?? "none") };
  const cut = known.length > MOST_CASES ? { "tests-left-out": String(known.length - MOST_CASES) } : {};
  return {
    name: task === "" ? check : `${task} › ${check}`,
    package: "checks",
    at: ts,
    ms,
    facts: { ...facts, ...cut },
    output: isSat ? outputOf(seen) : "",
    cases: [commandCase(seen), ...known.slice(0, MOST_CASES).map(([name, end]) => testCase(seen, name, end))],
  };
}

/** The command's own end: with 0 it may still have lost its tests, and with 1 all that it counted may have passed. */
function commandCase(seen: EvidenceReport): Case {
  const unneeded = unsat(seen);
  const state = checkState(seen);
  const base = { name: seen.command || seen.check, classname: seen.check, ms: seen.ms };
  const message = [STATES[state].word, becauseOf(seen)].filter(Boolean).join(": ");
  if (unneeded !== undefined) return { ...base, end: { kind: "skipped", message: unneeded } };
  if (state === "passed") return base;
  if (state === "failed") return { ...base, end: { kind: "failure", message, text: outputOf(seen) } };
  // What never judged the tree is an error of the check; what was red before, or comes and goes, is nobody's failure.
  return { ...base, end: { kind: state === "not-run" ? "error" : "skipped", message } };
}

function testCase(seen: EvidenceReport, name: string, end: TestNames[string]): Case {
  const parts = name.split(" › ");
  const [title, above] = [parts.at(-1) ?? name, parts.slice(0, -1).join(" › ")];
  const base = { name: title, classname: above || seen.check };
  if (end === "passed") return base;
  if (end === "skipped") return { ...base, end: { kind: "skipped", message: STATES.skipped.word } };
  const state = checkState(seen);
  if (state === "red-before" || state === "flaky")
    return { ...base, end: { kind: "skipped", message: `${STATES[state].word}: ${STATES[state].means}` } };
  return { ...base, end: { kind: "failure", message: `${name} fails`, text: outputOf(seen) } };
}

function outputOf({ excerpt, snippet }: EvidenceReport): string {
  return (excerpt ?? snippet).slice(-MOST_OUTPUT);
}

function gateSuite({ gate, at, tree, rules, findings, key }: DecisionReport): Suite {
  const output = findings.map(({ severity, message }) => `${severity}: ${message}`).join("\n");
  return {
    name: gate,
    package: "gates",
    at,
    ms: 0,
    facts: { step: key, ...(tree === undefined ? {} : { tree }) },
    output: output.slice(0, MOST_OUTPUT),
    cases: rules.map((rule) => ruleCase(gate, rule)),
  };
}

function ruleCase(gate: string, { rule, passed, actual, need }: RuleReport): Case {
  const base = { name: rule, classname: gate };
  if (passed) return base;
  const message = `${STATES.missed.word}: found ${JSON.stringify(actual)}, needs ${JSON.stringify(need)}`;
  return { ...base, end: { kind: "failure", message } };
}

function suiteText({ name, package: of, at, ms, cases, facts, output }: Suite, id: number): string {
  const ended = (kind: string): number => cases.filter(({ end }) => end?.kind === kind).length;
  const counts = {
    tests: cases.length,
    failures: ended("failure"),
    errors: ended("error"),
    skipped: ended("skipped"),
  };
  const timestamp = new Date(at).toISOString().slice(0, 19);
  const properties = Object.entries(facts).map(([key, value]) => element("property", { name: key, value }));
  const attributes = { name, package: of, id, timestamp, hostname: "localhost", ...counts, time: seconds(ms) };
  return element("testsuite", attributes, [
    "\n",
    `${element("properties", {}, properties)}\n`,
    ...cases.map((each) => `${caseText(each)}\n`),
    `${element("system-out", {}, [xmlText(output)])}\n`,
    "<system-err/>\n",
  ]);
}

function caseText({ name, classname, ms = 0, end }: Case): string {
  const attributes = { name, classname, time: seconds(ms) };
  if (!end) return element("testcase", attributes);
  const { kind, message, text } = end;
  const said = kind === "skipped" ? { message } : { message, type: kind };
  return element("testcase", attributes, [element(kind, said, text === undefined ? [] : [xmlText(text)])]);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
