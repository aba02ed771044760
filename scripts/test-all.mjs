// The tests that can be tried more often than `npm test` does, with their large numbers: one file after the other.
//   node scripts/test-all.mjs [--minutes n]   begins no further file after that time, and says which were left out
import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";
import { parseArgs } from "node:util";

const FILES = [
  "test/simulator/simulator.long.test.ts",
  "test/crash/matrix.long.test.ts",
  "test/crash/paused.long.test.ts",
  "test/crash/pipeline-kill.long.test.ts",
  "test/crash/kill.long.test.ts",
  "test/team/chaos.long.test.ts",
  "test/outcomes/outcomes.long.test.ts",
  "test/cli/copied-pipeline.long.test.ts",
  "src/workspace/kill.long.test.ts",
  "src/hosts/dbos/races.test.ts",
  "src/hosts/dbos/restart.test.ts",
  "src/core/contract/fuzz.test.ts",
  "src/core/contract/round-trip.test.ts",
];

const { values } = parseArgs({ options: { minutes: { type: "string", default: "Infinity" } } });
const end = Date.now() + Number(values.minutes) * 60_000;
const left = [...FILES];
// As npm does it: whoever asks for `node` gets the pinned one, also where the script was called without npm.
const PATH = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH, SIGNALBOX_TESTS: "all" };
let failed = false;

while (left.length > 0 && Date.now() < end) {
  const file = left.shift();
  const { status } = spawnSync("node_modules/.bin/vitest", ["run", file], { stdio: "inherit", env });
  failed ||= status !== 0;
}
for (const file of left) console.log(`not run with its large numbers, after ${values.minutes} minutes: ${file}`);
process.exitCode = failed ? 1 : 0;
