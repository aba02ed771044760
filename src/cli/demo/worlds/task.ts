import type { Json } from "../../../core/text/json.ts";
import type { RealWorld } from "../world.ts";

const BEFORE = 'export const greet = (name) => "Hello " + name;\n';
const WRONG = 'export const greet = (name) => "Hello " + (name ?? "you") + "!";\n';
const RIGHT = 'export const greet = (name = "you") => "Hello " + name;\n';
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "../src/greet.js";

test("greets by name", () => assert.equal(greet("Ada"), "Hello Ada"));
`;
const NEW_TEST = `${TEST}test("greets nobody in particular", () => assert.equal(greet(), "Hello you"));\n`;

const toWrites = (files: Readonly<Record<string, string>>): Json[] =>
  Object.entries(files).map(([path, content]) => ({ write: { path, content } }));

const answer = {
  status: "done",
  kind: "fix",
  subject: "Greet people without a name",
  body: "Without a name the greeting ended in `undefined`.",
};

/** The first answer breaks a test and claims success, so it is sent back with the failure. */
export const world: RealWorld = {
  pipeline: "task",
  args: ["Without a name greet() says undefined. Let it say you.", "--input", "review=true"],
  files: {
    "package.json": '{ "name": "greeting", "type": "module" }\n',
    "src/greet.js": BEFORE,
    "test/greet.test.js": TEST,
  },
  config: "commands:\n  test: node --test\n",
  agents: [
    {
      role: "developer",
      round: 1,
      do: toWrites({ "src/greet.js": WRONG, "test/greet.test.js": NEW_TEST }),
      output: answer,
    },
    { role: "developer", do: toWrites({ "src/greet.js": RIGHT }), output: answer },
    { role: "reviewer", output: { verdict: "approve" } },
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["src/greet.js", "test/greet.test.js"],
};
