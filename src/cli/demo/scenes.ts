import type { JournalRecord } from "../../core/record.ts";

/** What the demo says and shows when the run comes to a point of the story. */
export type Scene = {
  readonly when: (record: JournalRecord, before: readonly JournalRecord[]) => boolean;
  readonly say: string;
  /** Commands of the program, run for the viewer. */
  readonly show?: readonly (readonly string[])[];
  /** Said before the record is told: it announces instead of explaining. */
  readonly first?: true;
};

const WHAT_IT_SAW = `SELECT check_name, passed, exit_code, output_snippet FROM anvil_checks
WHERE task_id = 'greet' AND phase = 'after' AND round = 1`.replace("\n", " ");

export const SCENES: readonly Scene[] = [
  {
    when: (record) => record.type === "agent.started" && record.role === "researcher",
    first: true,
    say: "Four researchers read the code at the same time. One fails; the engine sends it again.",
  },
  {
    when: (record, before) => decided(record, before, "design review") === false,
    say: "Refused. No model decides that: a query over recorded verdicts does. The query, and its rows:",
    show: [
      ["gate", "EG-6", "--sql"],
      ["gate", "EG-6"],
    ],
  },
  {
    when: (record, before) => decided(record, before, "design review") === true,
    say: "The designer was given the objections. Its revision passes the same query.",
  },
  {
    when: (record, before) => decided(record, before, "verified initials") === false,
    say: "The agent claims that all tests pass. The engine ran them itself. Claim and evidence, side by side:",
    show: [["why"]],
  },
  {
    when: (record, before) => decided(record, before, "verified greet") === false,
    say: "This agent's tests are green: it took the red assertion out of an old test. Seen, and refused:",
    show: [["sql", WHAT_IT_SAW]],
  },
  {
    when: (record) => record.type === "agent.started" && record.role === "planner" && record.round === 2,
    first: true,
    say: "Both tasks go back with what was found. What was accepted stays accepted.",
  },
];

/** How a gate came out, at the record that ends it; undefined at any other. */
function decided(record: JournalRecord, before: readonly JournalRecord[], gate: string): boolean | undefined {
  if (record.type !== "step.finished") return undefined;
  const rules = before.filter((each) => each.type === "gate.evaluated" && each.key === record.key);
  const named = rules.filter((each) => each.type === "gate.evaluated" && each.gate === gate);
  return named.length === 0 ? undefined : named.every((each) => each.type === "gate.evaluated" && each.passed);
}
