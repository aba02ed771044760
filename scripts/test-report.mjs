// Reads what the last `npm test` and `npm run test:long` wrote. Prints the skipped tests with their reasons, and fails if a file costs more
// than the limit without being named `*.long.test.ts`. A file over the limit is measured once more alone, because
// a busy machine adds CPU time.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, relative, resolve } from "node:path";

const CACHE = "node_modules/.cache/signalbox";
const LIMIT_SECONDS = 7;

const skipped = ["tests", "long-tests"].flatMap((tier) => readSkippedTests(`${CACHE}/${tier}.skips.json`));
console.log(skipped.length === 0 ? "No test was skipped." : `${skipped.length} tests were skipped:`);
for (const [file, titles] of Map.groupBy(skipped, ({ file }) => file)) {
  console.log(`  ${file}`);
  for (const { title, reason } of titles) console.log(`    ${title}${reason ? `: ${reason}` : ""}`);
}

const costs = readCosts(`${CACHE}/tests.costs.jsonl`);
const total = costs.reduce((sum, { seconds }) => sum + seconds, 0);
if (costs.length === 0) console.log("CPU time per file was not measured: this system has no /proc.");
else console.log(`npm test: ${costs.length} files, ${Math.round(total)} CPU seconds.`);
for (const { file, seconds } of costs.filter(({ seconds }) => seconds > LIMIT_SECONDS)) {
  const again = Math.min(seconds, measureAlone(file));
  if (again <= LIMIT_SECONDS) continue;
  console.log(
    `✗ ${file} costs ${again.toFixed(1)} CPU seconds, limit ${LIMIT_SECONDS}. Make it cheaper, or rename it to ` +
      "*.long.test.ts; each of its rules and promises then needs a test in another file.",
  );
  process.exitCode = 1;
}

function readSkippedTests(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

function readCosts(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line))
    .map(({ file, own, children }) => ({ file: relative(".", file), seconds: own + children }));
}

function measureAlone(file) {
  const path = resolve(CACHE, "one-file.costs.jsonl");
  rmSync(path, { force: true });
  const env = {
    ...process.env,
    PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter),
    SIGNALBOX_TESTED: "built",
    SIGNALBOX_TEST_COSTS: path,
  };
  spawnSync("node_modules/.bin/vitest", ["run", file], { env, stdio: "ignore" });
  return readCosts(path)[0]?.seconds ?? Number.POSITIVE_INFINITY;
}
