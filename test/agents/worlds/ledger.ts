import { GREET, INITIALS, SHOUT } from "../../../src/cli/demo/demo-files.ts";
import type { Json } from "../../../src/core/text/json.ts";
import type { RealWorld } from "../../worlds/world.ts";

type ModuleFiles = { readonly code: string; readonly test: string };

const createImplementer = (
  task: string,
  { code, test }: ModuleFiles,
  more: { readonly round?: number } = {},
): Json => ({
  role: "implementer",
  task,
  ...more,
  do: [
    { write: { path: `src/${task}.js`, content: code } },
    { write: { path: `test/${task}.test.js`, content: test } },
  ],
  output: { summary: `${task} is done, all tests pass` },
});
const createTask = (id: string, after: readonly string[] = []) => ({
  id,
  title: `Make ${id}`,
  depends_on: after,
  files: [`src/${id}.js`, `test/${id}.test.js`],
});
const TASKS = [createTask("shout"), createTask("initials"), createTask("greet", ["shout"])];
const APPROVES = { security: "approve", architecture: "approve", correctness: "approve" };

/** Two parallel modules, one of them wrong at first whatever its agent claims, then one that uses the other. */
export const world: RealWorld = {
  pipeline: "ledger",
  args: ["Greet loudly on demand, and give initials"],
  files: {
    "package.json": '{ "name": "greeter", "type": "module", "private": true }\n',
    "src/greet.js": GREET.code,
    "test/greet.test.js": GREET.test,
  },
  config: "commands:\n  test: node --test\n",
  agents: [
    // Two agents that omit the contract until they are asked for it.
    { role: "spec", do: [{ misbehave: "no-contract" }], output: { status: "DONE" } },
    { role: "planner", round: 1, do: [{ misbehave: "no-contract" }], output: { tasks: TASKS } },
    { role: "planner", output: { tasks: TASKS } },
    createImplementer("shout", SHOUT),
    createImplementer("initials", INITIALS.broken, { round: 1 }),
    createImplementer("initials", INITIALS.honest),
    createImplementer("greet", GREET.honest),
    { role: "reviewer", output: { verdicts: APPROVES, findings: [] } },
    { role: "*", output: { status: "DONE" } },
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["shout", "initials", "greet"].flatMap((id) => [`src/${id}.js`, `test/${id}.test.js`]),
};
