import type { ScriptRule } from "../../drivers/scripted/script.ts";
import { GREET, INITIALS, SHOUT } from "./demo-files.ts";

type FileVersion = { readonly code: string; readonly test: string };

const createTask = (id: string, title: string, after: readonly string[] = []) => ({
  id,
  title,
  depends_on: after,
  files: [`src/${id}.js`, `test/${id}.test.js`],
});

const writeModule = (id: string, { code, test }: FileVersion) => [
  { write: { path: `src/${id}.js`, content: code } },
  { write: { path: `test/${id}.test.js`, content: test } },
];

const toAnswer = (id: string, summary: string) => ({
  summary,
  changes: [{ path: `src/${id}.js`, description: summary }],
});

const GREET_TASK = createTask("greet", "Greet in capitals on demand", ["shout"]);
const INITIALS_TASK = createTask("initials", "First letters of a name");

const PLANS: readonly ScriptRule[] = [
  {
    role: "planner",
    round: 1,
    do: [{ sleep: 500 }],
    output: { tasks: [createTask("shout", "Put a text in capitals"), INITIALS_TASK, GREET_TASK] },
  },
  { role: "planner", do: [{ sleep: 500 }], output: { tasks: [INITIALS_TASK, GREET_TASK] } },
];

/** Finishes while no engine is running. */
const UNOBSERVED: ScriptRule = {
  role: "implementer",
  task: "shout",
  do: [{ sleep: 3_000 }, ...writeModule("shout", SHOUT)],
  output: toAnswer("shout", "shout(text), with a test"),
};

/** Still running when the next engine starts. The second attempt makes a false claim. */
const FALSE_CLAIMER: readonly ScriptRule[] = [
  {
    role: "implementer",
    task: "initials",
    round: 1,
    attempt: 1,
    do: [{ sleep: 60_000 }],
    output: toAnswer("initials", "–"),
  },
  {
    role: "implementer",
    task: "initials",
    round: 1,
    do: [{ sleep: 500 }, ...writeModule("initials", INITIALS.broken)],
    output: toAnswer("initials", "done, all tests pass"),
  },
  {
    role: "implementer",
    task: "initials",
    do: [{ sleep: 700 }, ...writeModule("initials", INITIALS.honest)],
    output: toAnswer("initials", "empty words are dropped"),
  },
];

/** The first version breaks existing behavior and removes the assertion for it from the test. */
const WEAKENER: readonly ScriptRule[] = [
  {
    role: "implementer",
    task: "greet",
    round: 1,
    do: [{ sleep: 2_000 }, ...writeModule("greet", GREET.weakened)],
    output: toAnswer("greet", "greets loudly, all tests pass"),
  },
  {
    role: "implementer",
    task: "greet",
    do: [{ sleep: 700 }, ...writeModule("greet", GREET.honest)],
    output: toAnswer("greet", "loud on demand, the old test is back"),
  },
];

/** Planner, implementers and verifier. The verifier accepts every claim. */
export const BUILDERS: readonly ScriptRule[] = [
  ...PLANS,
  UNOBSERVED,
  ...FALSE_CLAIMER,
  ...WEAKENER,
  { role: "verifier", do: [{ sleep: 250 }], output: { summary: "looks good to me", findings: [] } },
];
