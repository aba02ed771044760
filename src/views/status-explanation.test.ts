import { expect, test } from "vitest";
import type { Finding } from "../core/authoring/finding.ts";
import type { JournalRecord, RecordBody } from "../core/journal/record.ts";
import { foldRunView } from "./run-view.ts";
import { collectStatusExplanation } from "./status-explanation.ts";

/** A run that missed a gate of each name, with one finding of that severity each. */
function decisionOver(missed: Readonly<Record<string, Finding["severity"]>>): string | undefined {
  const facts = Object.entries(missed).flatMap(([gate, severity], n): RecordBody[] => {
    const value = { id: gate, gate, passed: false, blocked: false, findings: [{ severity, message: "no" }] };
    return [
      { type: "step.started", key: gate, scope: "root", n, verb: "gate", phase: "1 Work", print: "" },
      { type: "gate.evaluated", key: gate, gate, rule: "R-1", passed: false, actual: 0, need: 1, params: {} },
      { type: "step.finished", key: gate, value },
    ];
  });
  const base = { commit: "c".repeat(40), tree: "t".repeat(40) };
  const started = { type: "run.started", pipeline: "p", version: 1, input: {}, base, phases: [], commands: [] };
  // The cast holds: an event with a stamp is a record.
  const records = [started, ...facts].map(
    (fact, at) => ({ v: 1, seq: at + 1, ts: at, run: "r", chain: "", ...fact }) as JournalRecord,
  );
  return collectStatusExplanation(foldRunView(records)).decision?.gate;
}

test("the missed gate with the worst finding is the reason, however many come after it", () => {
  expect(decisionOver({ "code review": "major", "self-check": "minor" })).toBe("code review");
  expect(decisionOver({ "self-check": "minor", "code review": "critical", scope: "major" })).toBe("code review");
});

test("of equally bad gates the last one is the reason", () => {
  expect(decisionOver({ design: "major", "code review": "major" })).toBe("code review");
});
