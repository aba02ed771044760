import { describe, expect, it } from "vitest";
import type { Decision } from "../../core/authoring/decision.ts";
import { decideGate, openEvents } from "./events.ts";
import { createGateEvent, type EventType, formatGateReport, GateEvent, type GateRequest } from "./gate-event.ts";
import { Policy } from "./policy.ts";
import { judgeProblems } from "./review/findings.ts";
import type { PhasesContext } from "./run-context.ts";

const TRACE = "2b1f3a1e-5f1c-4c8e-9d52-0a4b6c7d8e9f";
const context = (): PhasesContext => ({
  trace: TRACE,
  policy: Policy.parse({}),
  task: "add-parts",
  request: "Add parts",
  form: {},
  iteration: { iteration_index: 1, max_iterations: 5 },
  events: openEvents(),
  documents: new Set(),
});
const rule = (passed: boolean) => ({
  id: "P-00",
  because: "it holds",
  judge: () => judgeProblems(passed ? [] : ["a thing is wrong", "another is too"]),
});
const gate = (more: Partial<GateRequest<Record<string, unknown>>> = {}): GateRequest<Record<string, unknown>> => ({
  type: "PLAN_GATE",
  rules: [rule(true)],
  about: {},
  next: { go: "go on", miss: "go back" },
  ...more,
});
const decision = (more: Partial<Decision> = {}): Decision => ({
  id: "d",
  gate: "g",
  passed: true,
  blocked: false,
  findings: [],
  ...more,
});
const missed = decision({
  passed: false,
  findings: judgeProblems(["a thing is wrong", "another is too"]).findings ?? [],
});
const event = (more: Partial<GateRequest<Record<string, unknown>>>, made: Decision) =>
  createGateEvent(context(), gate(more), made);

/** The verbs that `decide` needs, with a record of their calls. */
function createStage(passed: boolean) {
  const done: [string, unknown][] = [];
  const verbs = {
    gate: async (name: string) => {
      done.push(["gate", name]);
      return passed ? decision({ gate: name }) : { ...missed, gate: name };
    },
    see: async () => 1_900_000_000_000 as never,
    note: async (facts: unknown) => {
      done.push(["note", facts]);
    },
    write: async (path: string, text: string) => {
      done.push([path, text]);
      return { hash: "h" };
    },
  };
  return { verbs, done, of: (kind: string) => done.filter(([name]) => name === kind).map(([, what]) => what) };
}

describe("a gate event", () => {
  it.each(["", "x", " a\n"])("has a sentence as reason even if a finding is only %j", (message) => {
    const made = decision({ passed: false, findings: judgeProblems([message]).findings ?? [] });
    expect(GateEvent.safeParse(event({}, made)).success).toBe(true);
  });

  it("[P-37] is GO, REPLAN, ABSTAIN or BLOCKED, with confidence, approval, reason and next action", () => {
    expect(event({}, decision())).toMatchObject({
      decision: "GO",
      confidence: 1,
      requires_human_approval: false,
      reason: "it holds",
      next_action: "go on",
    });
    expect(event({ confidence: 0.8, asks: () => true }, missed)).toMatchObject({
      decision: "REPLAN",
      confidence: 0.8,
      requires_human_approval: true,
      reason: "a thing is wrong (and 1 more)",
      next_action: "go back",
    });
    expect(event({ miss: () => "ABSTAIN" }, missed).decision).toBe("ABSTAIN");
    expect(event({}, { ...missed, blocked: true })).toMatchObject({
      decision: "BLOCKED",
      requires_human_approval: true,
    });
  });

  it("[P-35] contains the trace, the iteration and the iteration limit", () => {
    expect(event({}, decision())).toMatchObject({ trace_id: TRACE, iteration_index: 1, max_iterations: 5 });
  });

  it("[P-50] names the state in which its gate decides", () => {
    const states: Readonly<Record<EventType, string>> = {
      PLAN_GATE: "PLANNING",
      PLAN_REVIEW_GATE: "PLAN_REVIEW",
      PREFLECT_GATE: "ACTING",
      PHASE_REVIEW_GATE: "REVIEWING",
      HIGH_RISK_APPROVAL_GATE: "WAITING_APPROVAL",
      COMPLETION_GATE: "REVIEWING",
    };
    for (const type of GateEvent.shape.event_type.options) {
      expect(event({ type }, decision())).toMatchObject({ event_type: type, workflow_state: states[type] });
    }
  });

  it("[P-36] that is invalid is never created", () => {
    expect(() => event({ confidence: 2 }, decision())).toThrow();
    expect(() => event({ next: { go: "", miss: "" } }, decision())).toThrow();
    expect(() => createGateEvent({ ...context(), trace: "run-7" }, gate(), decision())).toThrow();
  });

  it("[P-74] is reported as labelled lines", () => {
    expect(formatGateReport(event({ phase: 2, type: "PREFLECT_GATE" }, missed))).toEqual({
      Gate: "PREFLECT_GATE phase-2",
      Decision: "REPLAN",
      Confidence: "1",
      "Requires human approval": "no",
      Reason: "a thing is wrong (and 1 more)",
      "Next action": "go back",
    });
  });
});

describe("a decision", () => {
  const FILE = "plans/artifacts/observability/add-parts.ndjson";

  it("[P-36] [P-50] is one gate, one event and one appended line", async () => {
    const { verbs, of } = createStage(true);
    const at = context();
    await decideGate(verbs, at, gate());
    await decideGate(verbs, at, gate({ type: "PREFLECT_GATE", phase: 2 }));
    expect(of("gate")).toEqual(["PLAN_GATE", "PREFLECT_GATE phase-2"]);
    const [first, second] = of(FILE).map(String);
    expect(first?.split("\n")).toHaveLength(2);
    expect(second?.startsWith(first ?? "-")).toBe(true);
    expect(second?.split("\n")).toHaveLength(3);
    expect(JSON.parse(second?.split("\n")[1] ?? "")).toMatchObject({
      trace_id: TRACE,
      ts: "2030-03-17T17:46:40.000Z",
      agent: "Orchestrator",
      phase: 2,
      event_type: "gate_event",
      payload: { event_type: "PREFLECT_GATE", decision: "GO" },
    });
  });

  it("[P-74] leaves labelled lines for status", async () => {
    const { verbs, of } = createStage(false);
    await decideGate(verbs, context(), gate());
    expect(of("note")).toMatchObject([{ Decision: "REPLAN", "Next action": "go back" }]);
  });

  it("[P-36] inside a branch waits for its turn: the file does not depend on timing", async () => {
    const lines = async (order: readonly number[]) => {
      const { verbs, of } = createStage(true);
      const at = context();
      for (const lane of order) await decideGate(verbs, { ...at, lane }, gate({ type: "PREFLECT_GATE", phase: lane }));
      expect(of(FILE)).toEqual([]);
      await decideGate(verbs, at, gate());
      const text = String(of(FILE)[0]).trim().split("\n");
      return text.map((line) => JSON.parse(line) as { phase: number | null }).map((line) => line.phase);
    };
    expect(await lines([10, 2, 2])).toEqual([null, 2, 2, 10]);
    expect(await lines([2, 10, 2])).toEqual([null, 2, 2, 10]);
  });
});
