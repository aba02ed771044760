import type { ScriptRule } from "../../drivers/scripted/script.ts";

const approves = { security: "approve", architecture: "approve", correctness: "approve" };

const found = (title: string, detail: string, file: string) => ({
  summary: title,
  findings: [{ id: "F1", title, detail, evidence: [file] }],
  source_files_examined: [file],
});

const SHOUT = `/** The same greeting, louder. */
export const shout = (text) => text.toUpperCase();
`;
const SHOUT_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { shout } from "../src/shout.js";

test("shouts", () => assert.equal(shout("Hello, Ada!"), "HELLO, ADA!"));
`;
const INITIALS = `/** The first letters of a name; a name without letters has none. */
export const initials = (name) => name.split(/\\s+/).filter(Boolean).map((word) => word[0].toUpperCase()).join("");
`;
const INITIALS_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.js";

test("takes first letters", () => assert.equal(initials("ada  lovelace"), "AL"));
test("an empty name has no initials", () => assert.equal(initials(" "), ""));
`;

const RESEARCH: readonly ScriptRule[] = [
  {
    role: "researcher",
    instance: "researcher-architecture",
    do: [{ sleep: 500 }],
    output: found("One module per word", "Each function is a module of its own under src/.", "src/greet.js"),
  },
  { role: "researcher", instance: "researcher-impact", attempt: 1, do: [{ sleep: 200 }, { misbehave: "429" }] },
  {
    role: "researcher",
    instance: "researcher-impact",
    do: [{ sleep: 300 }],
    output: found("Nothing depends on greet yet", "No file imports it but its test.", "test/greet.test.js"),
  },
  {
    role: "researcher",
    instance: "researcher-dependencies",
    do: [{ sleep: 350 }],
    output: found("No dependencies", "The package uses Node alone, and can stay that way.", "package.json"),
  },
  {
    role: "researcher",
    do: [{ sleep: 450 }],
    output: found("Tests sit beside by name", "src/x.js is tested by test/x.test.js.", "test/greet.test.js"),
  },
];

const DESIGN: readonly ScriptRule[] = [
  {
    role: "spec",
    do: [{ sleep: 250 }],
    output: {
      feature_name: "Shout and initials",
      functional_requirements: [
        { id: "R1", text: "shout(text) gives the text in capitals" },
        { id: "R2", text: "initials(name) gives the first letters of a name" },
      ],
      acceptance_criteria: [{ id: "A1", text: "an empty name has no initials", test_method: "unit" }],
    },
  },
  {
    role: "designer",
    round: 1,
    do: [{ sleep: 300 }],
    output: {
      architecture: "Two modules beside greet.js; initials splits at single spaces.",
      decisions: [{ id: "D1", title: "Split names at a space", risk: "🟡", rationale: "shortest code" }],
    },
  },
  {
    role: "designer",
    do: [{ sleep: 300 }],
    output: {
      architecture: "Two modules beside greet.js; initials splits at any run of white space and drops empty words.",
      decisions: [{ id: "D1", title: "Split names at white space", risk: "🟢", rationale: "empty names are safe" }],
    },
  },
];

const REFUSES: ScriptRule = {
  role: "reviewer",
  phase: "3b Design review",
  round: 1,
  do: [{ sleep: 300 }],
  output: {
    verdicts: { ...approves, correctness: "needs_revision" },
    findings: [
      {
        severity: "major",
        category: "correctness",
        message: "two spaces in a row make an empty word, and word[0] of it is undefined",
        files: ["src/initials.js"],
      },
    ],
  },
};

const REVIEW: readonly ScriptRule[] = [
  { ...REFUSES, instance: "architecture-guardian" },
  { ...REFUSES, instance: "pragmatic-verifier" },
  { role: "reviewer", do: [{ sleep: 300 }], output: { verdicts: approves, findings: [] } },
];

const task = (id: string, title: string) => ({ id, title, files: [`src/${id}.js`, `test/${id}.test.js`] });

const writes = (id: string, code: string, test: string) => [
  { write: { path: `src/${id}.js`, content: code } },
  { write: { path: `test/${id}.test.js`, content: test } },
];

/** One implementer ends by itself while no engine runs; the other is still at work when the next engine comes. */
const BUILD: readonly ScriptRule[] = [
  {
    role: "planner",
    do: [{ sleep: 300 }],
    output: { tasks: [task("shout", "Greet in capitals"), task("initials", "First letters of a name")] },
  },
  {
    role: "implementer",
    task: "shout",
    do: [{ sleep: 1_500 }, ...writes("shout", SHOUT, SHOUT_TEST)],
    output: { summary: "shout(text) with its test", changes: [{ path: "src/shout.js", description: "new" }] },
  },
  { role: "implementer", task: "initials", attempt: 1, do: [{ sleep: 60_000 }], output: { summary: "never said" } },
  {
    role: "implementer",
    task: "initials",
    do: [{ sleep: 400 }, ...writes("initials", INITIALS, INITIALS_TEST)],
    output: { summary: "initials(name) with its tests", changes: [{ path: "src/initials.js", description: "new" }] },
  },
  { role: "verifier", do: [{ sleep: 250 }], output: { summary: "meets its criteria", findings: [] } },
];

/** The script of the demo: each rule plays a part of the story that the program in charge must cope with. */
export const DEMO_AGENTS: readonly ScriptRule[] = [
  { role: "evaluator", do: [{ sleep: 200 }], output: { summary: "small and clear", concerns: [] } },
  ...RESEARCH,
  ...DESIGN,
  ...REVIEW,
  ...BUILD,
  {
    role: "knowledge",
    do: [{ sleep: 200 }],
    output: {
      decision_log_entries: [{ id: "K1", title: "Split names at white space", rationale: "found in design review" }],
    },
  },
];
