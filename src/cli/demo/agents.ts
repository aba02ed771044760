import type { ScriptRule } from "../../drivers/scripted/script.ts";
import { BUILDERS } from "./builders.ts";

const approves = { security: "approve", architecture: "approve", correctness: "approve" };

const createFinding = (title: string, detail: string, file: string) => ({
  summary: title,
  findings: [{ id: "F-1", title, detail, evidence: [file] }],
  source_files_examined: [file],
});

/** Four researchers. One of them meets a rate limit on its first attempt. */
const RESEARCH: readonly ScriptRule[] = [
  {
    role: "researcher",
    instance: "researcher-architecture",
    do: [{ sleep: 1_100 }],
    output: createFinding(
      "One module per function",
      "Each function is a module of its own under src/.",
      "src/greet.js",
    ),
  },
  { role: "researcher", instance: "researcher-impact", attempt: 1, do: [{ sleep: 500 }, { misbehave: "429" }] },
  {
    role: "researcher",
    instance: "researcher-impact",
    do: [{ sleep: 700 }],
    output: createFinding("Nothing depends on greet yet", "No file imports it but its test.", "test/greet.test.js"),
  },
  {
    role: "researcher",
    instance: "researcher-dependencies",
    do: [{ sleep: 750 }],
    output: createFinding("No dependencies", "The package uses Node alone, and can stay that way.", "package.json"),
  },
  {
    role: "researcher",
    do: [{ sleep: 950 }],
    output: createFinding("Tests are found by name", "src/x.js is tested by test/x.test.js.", "test/greet.test.js"),
  },
];

const SPECIFICATION: ScriptRule = {
  role: "spec",
  do: [{ sleep: 400 }],
  output: {
    feature_name: "Loud greetings and initials",
    functional_requirements: [
      { id: "FR-1", text: "greet(name, { loud: true }) greets in capitals" },
      { id: "FR-2", text: "initials(name) gives the first letters of a name" },
    ],
    acceptance_criteria: [{ id: "AC-1", text: "an empty name has no initials", test_method: "test" }],
  },
};

/** The second design takes longer, because the demo shows the rows of the first one meanwhile. */
const DESIGN: readonly ScriptRule[] = [
  {
    role: "designer",
    round: 1,
    do: [{ sleep: 500 }],
    output: {
      architecture: "Two modules beside greet.js; initials splits at single spaces.",
      decisions: [{ id: "D-1", title: "Split names at a space", risk: "🟡", rationale: "shortest code" }],
    },
  },
  {
    role: "designer",
    do: [{ sleep: 2_500 }],
    output: {
      architecture: "Two modules beside greet.js; initials splits at spaces and drops empty words.",
      decisions: [{ id: "D-1", title: "Drop empty words", risk: "🟢", rationale: "empty names are safe" }],
    },
  },
];

const REFUSAL: ScriptRule = {
  role: "reviewer",
  phase: "3b Design review",
  round: 1,
  do: [{ sleep: 400 }],
  output: {
    verdicts: { ...approves, correctness: "needs_revision" },
    findings: [
      {
        severity: "major",
        category: "correctness",
        message: "two spaces in a row make an empty word",
        files: ["src/initials.js"],
      },
    ],
  },
};

const REVIEW: readonly ScriptRule[] = [
  { ...REFUSAL, instance: "architecture-guardian" },
  { ...REFUSAL, instance: "pragmatic-verifier" },
  { role: "reviewer", do: [{ sleep: 400 }], output: { verdicts: approves, findings: [] } },
];

/** Script of the demo. Each rule is a situation that the engine must handle. */
export const DEMO_AGENTS: readonly ScriptRule[] = [
  { role: "evaluator", do: [{ sleep: 200 }], output: { summary: "small and clear", concerns: [] } },
  ...RESEARCH,
  SPECIFICATION,
  ...DESIGN,
  ...REVIEW,
  ...BUILDERS,
  {
    role: "knowledge",
    do: [{ sleep: 200 }],
    output: {
      decision_log_entries: [{ id: "K-1", title: "Drop empty words", rationale: "found in design review" }],
    },
  },
];
