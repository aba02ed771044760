import { describe, expect, test } from "vitest";
import { ARTIFACTS } from "../../src/pipelines/phases/artifacts.ts";
import { createProposal, EVENTS_FILE, eventsOf, inputsOf, notesOf, PLAN, plans, play, roles, SMALL } from "./paper.ts";

describe("gate events", () => {
  test("[P-36] [P-50] every decision of a run is one valid event in the file, in a fixed order", async () => {
    const played = await play();
    const decided = new Set(played.records.flatMap((record) => (record.type === "gate.evaluated" ? [record.key] : [])));
    expect(eventsOf(played)).toHaveLength(decided.size);
    expect(eventsOf(played).map(({ payload }) => [payload.event_type, payload.phase_id])).toEqual([
      ["PLAN_GATE", null],
      ["PLAN_REVIEW_GATE", null],
      ["PREFLECT_GATE", 1],
      ["PHASE_REVIEW_GATE", 1],
      ["PREFLECT_GATE", 2],
      ["PHASE_REVIEW_GATE", 2],
      ["PREFLECT_GATE", 3],
      ["PHASE_REVIEW_GATE", 3],
      ["COMPLETION_GATE", null],
    ]);
  });

  test("[P-50] high risk has its own gate: blocked until a person approves", async () => {
    const phases = PLAN.phases.map((each) => (each.phase_id === 1 ? { ...each, destructive: true } : each));
    const answer = ({ title }: { title: string }) => (title.startsWith("Wave") ? "y" : undefined);
    const played = await play({ parts: { Planner: plans({ ...PLAN, phases }) }, answer });
    const risky = eventsOf(played).filter(({ payload }) => payload.event_type === "HIGH_RISK_APPROVAL_GATE");
    expect(risky.map(({ payload }) => [payload.decision, payload.requires_human_approval])).toEqual([
      ["BLOCKED", true],
      ["GO", false],
    ]);
  });

  test("[P-36] the file is append-only", async () => {
    const played = await play();
    const versions = played.effects.flatMap((effect) =>
      effect.kind === "write" && effect.request.path === EVENTS_FILE ? [effect.request.text] : [],
    );
    expect(versions.length).toBeGreaterThan(3);
    for (const [at, text] of versions.entries()) expect(text.startsWith(versions[at - 1] ?? "")).toBe(true);
  });

  test("[P-36] nothing reads the file", async () => {
    const played = await play();
    const looks = played.effects.filter((effect) => effect.kind === "see");
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.filter((effect) => JSON.stringify(effect.request).includes("observability"))).toEqual([]);
  });

  test("[P-35] one trace in every event and every delegation, with the iteration", async () => {
    const played = await play({ parts: { Planner: plans(createProposal({ ...PLAN, complexity_tier: "LARGE" })) } });
    const traces = new Set(eventsOf(played).map(({ payload }) => payload.trace_id));
    expect(traces.size).toBe(1);
    expect([...traces][0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const role of new Set(roles(played))) {
      for (const input of inputsOf(played, role)) {
        expect(input).toMatchObject({
          trace_id: [...traces][0],
          iteration_index: expect.any(Number),
          max_iterations: 5,
        });
      }
    }
  });

  test("[P-37] confidence is the plan's or the reviewer's own, and 1 if evidence decides", async () => {
    const played = await play({ parts: { Planner: plans({ ...PLAN, confidence: 0.8 }) } });
    const of = (type: string) => eventsOf(played).find(({ payload }) => payload.event_type === type)?.payload;
    expect(of("PLAN_GATE")).toMatchObject({ confidence: 0.8, requires_human_approval: true });
    expect(of("PLAN_REVIEW_GATE")?.confidence).toBe(0.95);
    expect(of("PHASE_REVIEW_GATE")?.confidence).toBe(1);
    expect(of("COMPLETION_GATE")?.confidence).toBe(1);
    for (const { payload } of eventsOf(played)) {
      expect(payload.reason).not.toMatch(/[.;]\s+\S/);
      expect(payload.next_action.length).toBeGreaterThan(3);
    }
  });

  test("[P-74] status shows the last gate as labelled lines, and no JSON", async () => {
    const notes = notesOf(await play({ parts: { Planner: plans(SMALL) } }));
    expect(notes).toMatchObject({
      Gate: "COMPLETION_GATE",
      Decision: "GO",
      Confidence: "1",
      "Requires human approval": expect.stringMatching(/^(yes|no)$/),
      Reason: expect.any(String),
      "Next action": expect.any(String),
    });
    const lines = Object.entries(notes).filter(([, value]) => typeof value === "string" && /^[{[]"/.test(value));
    expect(lines).toEqual([]);
  });
});

describe("the written events", () => {
  test("[P-36] satisfy the schemas that the pipeline publishes", async () => {
    const played = await play();
    const lines = (played.files[EVENTS_FILE] ?? "").trim().split("\n");
    const schema = ARTIFACTS.find(({ path }) => path.endsWith(".ndjson"))?.schema;
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(schema?.safeParse(JSON.parse(line)).success).toBe(true);
  });
});
