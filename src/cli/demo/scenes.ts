import type { JournalRecord } from "../../core/journal/record.ts";

/** What the demo says and shows when the run comes to a point of the story. */
export type Scene = {
  readonly when: (record: JournalRecord, before: readonly JournalRecord[]) => boolean;
  readonly say: string;
  /** Commands of the program, run for the viewer. */
  readonly show?: readonly (readonly string[])[];
  /** Said before the record is told: it announces instead of explaining. */
  readonly first?: true;
};

const WHAT_IT_SAW = "SELECT check_name, passed FROM anvil_checks WHERE task_id='greet' AND round=1";

export const SCENES: readonly Scene[] = [
  {
    when: (record) => record.type === "agent.started" && record.role === "researcher",
    first: true,
    say: "Four researchers read the code side by side. One of them fails, and is sent again.",
  },
  {
    when: (record, before) => decided(record, before, "design review") === false,
    say: "Refused: not by a model, but by a query over recorded verdicts. Here it is, with its rows.",
    show: [
      ["gate", "EG-6", "--sql"],
      ["gate", "EG-6"],
    ],
  },
  {
    when: (record, before) => decided(record, before, "design review") === true,
    say: "The designer was given the objections, and its revision passes the same query.",
  },
  {
    when: (record, before) => decided(record, before, "verified initials") === false,
    say: "The agent claims “all tests pass”. The engine ran them and saw otherwise; what it saw counts.",
    show: [["why"]],
  },
  {
    when: (record, before) => decided(record, before, "verified greet") === false,
    say: "This one's tests are green, because it took an assertion out of an old test. The old test sits on the new code all the same:",
    show: [["sql", WHAT_IT_SAW]],
  },
  {
    when: (record) => record.type === "agent.started" && record.role === "planner" && record.round === 2,
    first: true,
    say: "Both tasks go back with what was found; what was accepted stays accepted.",
  },
  {
    when: (record) => record.type === "step.started" && record.verb === "commit",
    first: true,
    say: "Every gate has passed for this very tree. Only then can there be a commit.",
  },
];

/** How a gate came out, at the record that ends it; undefined at any other. */
function decided(record: JournalRecord, before: readonly JournalRecord[], gate: string): boolean | undefined {
  if (record.type !== "step.finished") return undefined;
  const rules = before.filter((each) => each.type === "gate.evaluated" && each.key === record.key);
  const named = rules.filter((each) => each.type === "gate.evaluated" && each.gate === gate);
  return named.length === 0 ? undefined : named.every((each) => each.type === "gate.evaluated" && each.passed);
}
