// Runs the randomized and repeated tests with many more repetitions, one file after the other.
//   npm run test:soak -- [--minutes n]   starts no further file after that time, and names the files that it did not run
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
// Tests start `node` by its name, and it has to be the pinned one, as under npm.
const PATH = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH, SIGNALBOX_TESTS: "all" };
let failed = false;

while (left.length > 0 && Date.now() < end) {
  const file = left.shift();
  const { status } = spawnSync("node_modules/.bin/vitest", ["run", file], { stdio: "inherit", env });
  failed ||= status !== 0;
}
for (const file of left) console.log(`not run with many repetitions, after ${values.minutes} minutes: ${file}`);
process.exitCode = failed ? 1 : 0;
