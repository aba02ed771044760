import { hash } from "node:crypto";
import type { Finding } from "../../core/authoring/finding.ts";
import { type FindingLocation, listLocations } from "./finding-locations.ts";
import { listOpenFindings, type OpenFinding } from "./open-findings.ts";
import type { RunReport } from "./run-report.ts";

type Level = "error" | "warning" | "note";

export const LEVELS = {
  blocker: "error",
  critical: "error",
  major: "warning",
  minor: "note",
} as const satisfies Readonly<Record<Finding["severity"], Level>>;

/** Maximum number of results that upload services accept per run. */
const MAX_RESULTS = 5_000;

/** Renders the open findings as SARIF 2.1.0, which editors and code scanning display. */
export function renderSarifReport(report: RunReport, version: string): object {
  const found = listOpenFindings(report).slice(0, MAX_RESULTS);
  const rules = [...new Set(found.map(({ rule }) => rule))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "signalbox", semanticVersion: version, rules: rules.map((id) => toSarifRule(id, found)) },
        },
        automationDetails: { id: `signalbox/${report.pipeline}/${report.run}` },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: report.exit === 0,
            startTimeUtc: new Date(report.startedAt).toISOString(),
            endTimeUtc: new Date(report.lastAt).toISOString(),
            ...(report.exit === null ? {} : { exitCode: report.exit }),
          },
        ],
        results: found.map((each) => toSarifResult(each, rules.indexOf(each.rule))),
        properties: { base: report.base.commit, commits: report.commits.map(({ commit }) => commit) },
      },
    ],
  };
}

function toSarifRule(id: string, found: readonly OpenFinding[]): object {
  const own = found.filter(({ rule }) => rule === id);
  const level = (["error", "warning", "note"] as const).find((each) =>
    own.some((one) => LEVELS[one.severity] === each),
  );
  const gate = own[0]?.gate;
  const text = gate === undefined ? `Found by ${id}.` : `Found by ${id} in the gate "${gate}".`;
  return { id, shortDescription: { text }, defaultConfiguration: { level: level ?? "none" } };
}

function toSarifResult(found: OpenFinding, ruleIndex: number): object {
  const { rule, severity, message, by, gate, tests } = found;
  const places = listLocations(found);
  const findingFacts = { severity, ...(gate === undefined ? {} : { gate }), ...(by === undefined ? {} : { by }) };
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message },
    locations: places.map(toSarifLocation),
    partialFingerprints: { "signalboxFinding/v1": computeFingerprint(found, places) },
    properties: { ...findingFacts, ...(tests === undefined ? {} : { tests }) },
  };
}

function toSarifLocation({ file, line }: FindingLocation): object {
  const artifactLocation = { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" };
  return { physicalLocation: { artifactLocation, ...(line === undefined ? {} : { region: { startLine: line } }) } };
}

/** Returns a fingerprint that stays the same in later runs, although numbers, ids and lines may change. */
function computeFingerprint({ rule, message }: OpenFinding, places: readonly FindingLocation[]): string {
  const words = message
    .toLowerCase()
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, "x")
    .replace(/\d+(?:\.\d+)?/g, "0")
    .replace(/\s+/g, " ")
    .trim();
  return hash("sha256", JSON.stringify([rule, words, places.map(({ file }) => file)])).slice(0, 32);
}
