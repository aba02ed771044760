// The scenario of chaos.long.test.ts with custom numbers: node test/team/main.ts [--minutes 10] [--runs 200]
import { parseArgs } from "node:util";
import { chaos } from "./chaos.ts";
import { chaosLines } from "./chaos-lines.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, runs: { type: "string", default: "200" } },
});
const report = await chaos({
  runs: Number(values.runs),
  seconds: Number(values.minutes) * 60,
  killEveryMs: 15_000,
  restartEveryMs: 10_000,
  pauseMs: 20_000,
  log: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
});
for (const line of chaosLines(report)) console.log(line);
// The database package has an exit hook that discards `process.exitCode`.
process.exit(report.wrong.length === 0 ? 0 : 1);
