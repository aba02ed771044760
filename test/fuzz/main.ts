import { parseArgs } from "node:util";
import { EVIL } from "./evil.ts";
import { READERS } from "./readers.ts";
import { openTrials, type Trial } from "./trial.ts";

/** `npm run fuzz -- --count 10000 --seed 7 [--reader "config.yaml"] [--evil 1048576]` */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    reader: { type: "string" },
    /** Known hard inputs of this size for every reader, instead of texts from seeds. */
    evil: { type: "string" },
  },
});

const readers = READERS.filter(({ name }) => values.reader === undefined || name === values.reader);
const trials = openTrials();
let count = 0;
let faults = 0;
for (const trial of all()) {
  count += 1;
  const problem = await trials.run(trial);
  if (problem === undefined) continue;
  faults += 1;
  console.log(`${trial.reader}: ${problem}\n  again: npm run fuzz -- ${again(trial)}`);
}
await trials.end();
console.log(`${count} texts for ${readers.length} readers, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;

function* all(): Generator<Trial> {
  if (values.evil !== undefined) {
    for (const { name: reader } of readers)
      for (const evil of Object.keys(EVIL)) yield { reader, evil, size: Number(values.evil) };
    return;
  }
  for (let at = 0; at < Number(values.count); at += 1) {
    const reader = readers[at % readers.length];
    if (reader) yield { reader: reader.name, seed: Number(values.seed) + at };
  }
}

function again(trial: Trial): string {
  const reader = `--reader ${JSON.stringify(trial.reader)}`;
  return "seed" in trial
    ? `${reader} --count 1 --seed ${trial.seed}`
    : `${reader} --evil ${trial.size}   # ${trial.evil}`;
}
