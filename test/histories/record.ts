// Keeps a run of each built-in pipeline's present version, for all later code to replay.
//   node test/histories/record.ts [pipeline …]     never over a file: a version that was kept is kept
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scenarios } from "../support/answers.ts";
import { playScenario } from "../support/play-scenario.ts";
import { FOLDER } from "./history.ts";

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
// The scenario with the most steps says the most about a pipeline.
for (const [name, some] of Map.groupBy(scenarios, ({ pipeline }) => pipeline.name)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const runs = await Promise.all(some.map((scenario) => playScenario(scenario)));
  const longest = runs.toSorted((a, b) => b.records.length - a.records.length)[0];
  const file = join(FOLDER, `${name}-${some[0]?.pipeline.version}.jsonl`);
  if (!longest || existsSync(file)) {
    console.log(`${file} is there already: raise the pipeline's version if its steps have changed`);
    continue;
  }
  writeFileSync(file, longest.records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  console.log(`${file}: ${longest.records.length} records`);
}
