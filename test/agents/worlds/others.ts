import { world as clusters } from "../../../src/cli/demo/worlds/clusters.ts";
import { world as phases } from "../../../src/cli/demo/worlds/phases.ts";
import { world as ticket } from "../../../src/cli/demo/worlds/ticket.ts";
import type { RealWorld } from "../../worlds/world.ts";

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { old } from "../src/old.js";

test("what was there is still there", () => assert.equal(old, 1));
`;

/** Their repositories have one module; here it has a test, which the engine runs. */
function addTest(world: RealWorld): RealWorld {
  const files = { ...world.files, "package.json": '{ "type": "module" }\n', "test/old.test.js": TEST };
  return { ...world, files, config: "commands:\n  build: test -f README.md\n  test: node --test\n" };
}

export const PHASES = addTest(phases);
export const CLUSTERS = addTest(clusters);
export const TICKET = addTest(ticket);
