// Runs the tests of one tier on the built program, and writes their report, their costs and what was skipped.
//   node scripts/run-tests.mjs          all files but the long ones: `npm test`
//   node scripts/run-tests.mjs --long   the long files: `npm run test:long`
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { delimiter, resolve } from "node:path";

const CACHE = "node_modules/.cache/signalbox";
const isLong = process.argv.includes("--long");
const tier = isLong ? "long-tests" : "tests";
const projects = isLong ? ["long"] : ["shared", "isolated"];
const costs = resolve(CACHE, `${tier}.costs.jsonl`);
const skips = resolve(CACHE, `${tier}.skips.json`);

mkdirSync(CACHE, { recursive: true });
for (const file of [costs, skips]) rmSync(file, { force: true });
const env = {
  ...process.env,
  // Tests start `node` by its name, and it has to be the pinned one, as under npm.
  PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter),
  SIGNALBOX_TESTED: "built",
  SIGNALBOX_TEST_COSTS: costs,
  SIGNALBOX_TEST_SKIPS: skips,
};
const reporters = [
  "--reporter=default",
  "--reporter=json",
  "--reporter=./test/cost/skips-reporter.ts",
  `--outputFile.json=${CACHE}/${tier}.json`,
];
const args = ["run", ...projects.flatMap((name) => ["--project", name]), ...reporters];
const { status } = spawnSync("node_modules/.bin/vitest", args, { stdio: "inherit", env });
process.exitCode = status ?? 1;
