import type { JournalRecord } from "../../core/journal/record.ts";

/** Text and commands that the demo adds at one point of the run. */
export type Scene = {
  readonly when: (record: JournalRecord, before: readonly JournalRecord[]) => boolean;
  readonly say: string;
  /** Commands to run and show. */
  readonly show?: readonly (readonly string[])[];
  /** Print the text before the record instead of after it. */
  readonly first?: true;
};

const GREET_CHECKS_QUERY = "SELECT check_name, passed FROM anvil_checks WHERE task_id='greet' AND round=1";

export const SCENES: readonly Scene[] = [
  {
    when: (record) => record.type === "agent.started" && record.role === "researcher",
    first: true,
    say: "Four researchers read the code in parallel. One of them fails and is retried.",
  },
  {
    when: (record, before) => findGateResult(record, before, "design review") === false,
    say: "Refused, not by a model but by a query over recorded verdicts. Here is the query with its rows.",
    show: [
      ["gate", "EG-6", "--sql"],
      ["gate", "EG-6"],
    ],
  },
  {
    when: (record, before) => findGateResult(record, before, "design review") === true,
    say: "The designer received the findings, and its revision passes the same query.",
  },
  {
    when: (record, before) => findGateResult(record, before, "verified initials") === false,
    say: "The agent claims “all tests pass”. The engine ran them and found a failure; its evidence counts.",
    show: [["why"]],
  },
  {
    when: (record, before) => findGateResult(record, before, "verified greet") === false,
    say: "This agent's tests pass because it removed an assertion from an old test. The engine also runs the old test on the new code:",
    show: [["sql", GREET_CHECKS_QUERY]],
  },
  {
    when: (record) => record.type === "agent.started" && record.role === "planner" && record.round === 2,
    first: true,
    say: "Both tasks go back with their findings; accepted work stays accepted.",
  },
  {
    when: (record) => record.type === "step.started" && record.verb === "commit",
    first: true,
    say: "Every gate has passed for exactly this tree. Only now may it be committed.",
  },
];

/** Returns the outcome of a gate at the record that ends its step; undefined for any other record. */
function findGateResult(record: JournalRecord, before: readonly JournalRecord[], gate: string): boolean | undefined {
  if (record.type !== "step.finished") return undefined;
  const rules = before.filter((each) => each.type === "gate.evaluated" && each.key === record.key);
  const named = rules.filter((each) => each.type === "gate.evaluated" && each.gate === gate);
  return named.length === 0 ? undefined : named.every((each) => each.type === "gate.evaluated" && each.passed);
}
