import type { ScriptRule } from "../../drivers/scripted/script.ts";
import { GREET, INITIALS, SHOUT } from "./code.ts";

type Files = { readonly code: string; readonly test: string };

const task = (id: string, title: string, after: readonly string[] = []) => ({
  id,
  title,
  depends_on: after,
  files: [`src/${id}.js`, `test/${id}.test.js`],
});

const writes = (id: string, { code, test }: Files) => [
  { write: { path: `src/${id}.js`, content: code } },
  { write: { path: `test/${id}.test.js`, content: test } },
];

const says = (id: string, summary: string) => ({ summary, changes: [{ path: `src/${id}.js`, description: summary }] });

const GREET_TASK = task("greet", "Greet in capitals on demand", ["shout"]);
const INITIALS_TASK = task("initials", "First letters of a name");

const PLANS: readonly ScriptRule[] = [
  {
    role: "planner",
    round: 1,
    do: [{ sleep: 500 }],
    output: { tasks: [task("shout", "Put a text in capitals"), INITIALS_TASK, GREET_TASK] },
  },
  { role: "planner", do: [{ sleep: 500 }], output: { tasks: [INITIALS_TASK, GREET_TASK] } },
];

/** Finishes while no engine is running. */
const ALONE: ScriptRule = {
  role: "implementer",
  task: "shout",
  do: [{ sleep: 3_000 }, ...writes("shout", SHOUT)],
  output: says("shout", "shout(text), with a test"),
};

/** Still running when the next engine starts. The second attempt makes a false claim. */
const LIAR: readonly ScriptRule[] = [
  {
    role: "implementer",
    task: "initials",
    round: 1,
    attempt: 1,
    do: [{ sleep: 60_000 }],
    output: says("initials", "–"),
  },
  {
    role: "implementer",
    task: "initials",
    round: 1,
    do: [{ sleep: 500 }, ...writes("initials", INITIALS.broken)],
    output: says("initials", "done, all tests pass"),
  },
  {
    role: "implementer",
    task: "initials",
    do: [{ sleep: 700 }, ...writes("initials", INITIALS.honest)],
    output: says("initials", "empty words are dropped"),
  },
];

/** The first version breaks existing behavior and removes the assertion for it from the test. */
const WEAKENER: readonly ScriptRule[] = [
  {
    role: "implementer",
    task: "greet",
    round: 1,
    do: [{ sleep: 2_000 }, ...writes("greet", GREET.weakened)],
    output: says("greet", "greets loudly, all tests pass"),
  },
  {
    role: "implementer",
    task: "greet",
    do: [{ sleep: 700 }, ...writes("greet", GREET.honest)],
    output: says("greet", "loud on demand, the old test is back"),
  },
];

/** Planner, implementers and verifier. The verifier accepts every claim. */
export const BUILDERS: readonly ScriptRule[] = [
  ...PLANS,
  ALONE,
  ...LIAR,
  ...WEAKENER,
  { role: "verifier", do: [{ sleep: 250 }], output: { summary: "looks good to me", findings: [] } },
];
