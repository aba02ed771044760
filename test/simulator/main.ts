import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { violationsOf } from "./invariants.ts";
import { play } from "./schedule.ts";
import { type Broken, count, emptyTally, linesOf, merge, neverReached, type Tally } from "./tally.ts";

/**
 * The simulator: runs random schedules over the built-in pipelines and checks the invariants after each. `--seed N
 * [--pipeline P] [--trace]` replays one; otherwise `--count` schedules run, starting with `--from`.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    pipeline: { type: "string" },
    trace: { type: "boolean", default: false },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "10000" },
    jobs: { type: "string", default: "2" },
    /** Stops at the first schedule that violates this invariant, and ignores all others. */
    until: { type: "string" },
    /** Prints only the tally as JSON. */
    json: { type: "boolean", default: false },
  },
});
const pipeline = values.pipeline === undefined ? {} : { pipeline: values.pipeline };
const SCRIPT = fileURLToPath(import.meta.url);
/** Seeds per process before the next one starts: small enough that all processes are busy to the end. */
const PORTION = 500;

if (values.seed !== undefined) await replaySeed(Number(values.seed));
else if (values.json) console.log(JSON.stringify(await playSeeds(Number(values.from), Number(values.count))));
else await playAll(Number(values.from), Number(values.count));

async function replaySeed(seed: number): Promise<void> {
  const one = await play({ seed, ...pipeline });
  const violations = await violationsOf(one);
  if (values.trace) console.log(one.witness.trace.join("\n"));
  console.log(`seed ${seed}: ${one.scenario.name} ended ${one.ended}, ${one.records.length} records`);
  for (const { invariant, what } of violations) console.log(`violated: ${invariant}: ${what}`);
  process.exit(violations.length === 0 ? 0 : 1);
}

async function playSeeds(from: number, many: number): Promise<Tally> {
  const tally = emptyTally();
  for (let seed = from; seed < from + many; seed += 1) {
    const one = await play({ seed, ...pipeline });
    count(tally, one, await violationsOf(one));
    if (tally.broken.some(({ invariant }) => invariant === values.until)) break;
  }
  return tally;
}

async function playAll(from: number, many: number): Promise<void> {
  const portions: [number, number][] = [];
  for (let at = from; at < from + many; at += PORTION) portions.push([at, Math.min(PORTION, from + many - at)]);
  const tally = emptyTally();
  const began = performance.now();
  const lane = async (): Promise<void> => {
    for (let next = portions.shift(); next; next = portions.shift()) merge(tally, await playPortion(...next));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  const missed = values.pipeline === undefined ? neverReached(tally) : [];
  for (const line of linesOf(tally)) console.log(line);
  const wanted = tally.broken.filter(({ invariant }) => invariant === (values.until ?? invariant));
  for (const broken of wanted.slice(0, 20)) console.log(formatViolation(broken));
  for (const phase of missed) console.log(`never reached: ${phase}`);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(`${tally.schedules} schedules in ${seconds} s, ${tally.broken.length} violations`);
  process.exit(tally.broken.length + missed.length === 0 ? 0 : 1);
}

async function playPortion(from: number, many: number): Promise<Tally> {
  const only = values.pipeline === undefined ? [] : ["--pipeline", values.pipeline];
  const short = values.until === undefined ? [] : ["--until", values.until];
  const args = [SCRIPT, "--json", ...short, "--from", String(from), "--count", String(many), ...only];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const out = await text(child.stdout);
  // Written by this script.
  return JSON.parse(out) as Tally;
}

function formatViolation({ seed, pipeline: name, invariant, what }: Broken): string {
  return `violated: ${invariant}: ${what}\n  node test/simulator/main.ts --seed ${seed} --pipeline ${name} --trace`;
}
