import { ledger } from "../../../src/pipelines/ledger/index.ts";
import { anyInput } from "../answers/scenario.ts";
import type { Part } from "../real-run.ts";

const approve = { security: "approve", architecture: "approve", correctness: "approve" } as const;
const createTask = (id: string, more: object = {}) => ({ id, title: `Task ${id}`, files: [`src/${id}.txt`], ...more });

/** A concern for a person, a design sent back once, an agent that omits its contract once, and two waves of work. */
export const ledgerPart: Part = {
  pipeline: anyInput(ledger),
  input: { request: "Greet people by name" },
  files: { "README.md": "# Greeting\n" },
  agents: [
    {
      role: "evaluator",
      output: { concerns: [{ kind: "vagueness", severity: "Minor", text: "which people?" }] },
    },
    { role: "researcher", attempt: 1, instance: "researcher-impact", do: [{ misbehave: "no-contract" }] },
    {
      role: "researcher",
      output: { findings: [{ id: "F-1", title: "One file", detail: "that is all", evidence: ["README.md:1"] }] },
    },
    {
      role: "spec",
      output: {
        feature_name: "Greeting",
        functional_requirements: [{ id: "FR-1", text: "greets by name" }],
        acceptance_criteria: [{ id: "AC-1", text: "a name is greeted" }],
      },
    },
    {
      role: "designer",
      output: { architecture: "one file for each word", decisions: [{ id: "D-1", title: "no state" }] },
    },
    {
      role: "reviewer",
      phase: "3b Design review",
      round: 1,
      output: {
        verdicts: { ...approve, correctness: "needs_revision" },
        findings: [{ severity: "major", category: "correctness", message: "an empty name is not considered" }],
      },
    },
    { role: "reviewer", output: { verdicts: approve } },
    {
      role: "planner",
      output: { tasks: [createTask("greet"), createTask("wave"), createTask("shout", { depends_on: ["greet"] })] },
    },
    {
      role: "implementer",
      do: [{ run: 'mkdir -p src && echo "$SIGNALBOX_TASK" > "src/$SIGNALBOX_TASK.txt"' }],
      output: { summary: "the task is done" },
    },
    { role: "verifier", output: { status: "DONE" } },
    { role: "knowledge", output: { decision_log_entries: [] } },
  ],
  commands: [
    { name: "build", run: "test -f README.md" },
    { name: "test", run: "! grep -rs broken src" },
    { name: "lint", run: "grep Greeting README.md" },
  ],
};
