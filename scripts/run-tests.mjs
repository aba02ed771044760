// Runs the tests of one tier on the built program, and writes their report and their costs.
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

mkdirSync(CACHE, { recursive: true });
rmSync(costs, { force: true });
const env = {
  ...process.env,
  // Tests start `node` by its name, and it has to be the pinned one, as under npm.
  PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter),
  SIGNALBOX_TESTED: "built",
  SIGNALBOX_TEST_COSTS: costs,
};
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${CACHE}/${tier}.json`];
const args = ["run", ...projects.flatMap((name) => ["--project", name]), ...reporters];
const { status } = spawnSync("node_modules/.bin/vitest", args, { stdio: "inherit", env });
process.exitCode = status ?? 1;
