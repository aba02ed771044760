import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import {
  begin,
  copyOf,
  type Life,
  live,
  loadSources,
  type Memory,
  memoryMemory,
  newOracle,
  type Oracle,
  type Scenario,
  sqliteMemory,
  toEnd,
} from "./lives.ts";
import { movedStep, scenarios } from "./scenarios.ts";
import { sleepy } from "./sleepy.ts";

/**
 * The crash matrix, in process. For every append of every scenario the process dies right after it, a new engine is
 * built from the stored bytes only, and its end must equal the uninterrupted one. Prints one line of JSON per host.
 */
const { values } = parseArgs({
  options: {
    src: { type: "string", default: fileURLToPath(new URL("../../src", import.meta.url)) },
    host: { type: "string", default: "memory" },
    only: { type: "string" },
    /** Upper limit of kills: more appends are sampled, evenly and the same ones every time. */
    most: { type: "string" },
  },
});

type UninterruptedRun = {
  readonly form: readonly string[];
  readonly status: string;
  readonly commits: number;
  /** State that a process would leave if it died right after each append: in the store and in the world. */
  readonly deaths: readonly { readonly memory: Memory; readonly oracle: Oracle }[];
};

const sources = await loadSources(values.src);
const remember = (): Memory => (values.host === "sqlite" ? sqliteMemory(sources) : memoryMemory(sources));
const failures: string[] = [];
let points = 0;
let zombies = 0;
let moved = 0;

const chosen: [Scenario, UninterruptedRun][] = [];
for (const scenario of scenarios.filter((each) => !values.only || each.name.includes(values.only))) {
  chosen.push([scenario, await runUninterrupted(scenario)]);
}
const appends = chosen.reduce((sum, [, { deaths }]) => sum + deaths.length, 0);
const most = Math.min(Number(values.most ?? appends), appends);
let seen = 0;
for (const [scenario, calm] of chosen) {
  for (let k = 1; k <= calm.deaths.length; k += 1) {
    seen += 1;
    if (Math.floor((seen * most) / appends) === Math.floor(((seen - 1) * most) / appends)) continue;
    points += 1;
    await tryDeath(`${scenario.name}, killed after append ${k}`, () => runKilled(scenario, calm, k));
    if (points % 5 === 0) {
      zombies += 1;
      await tryDeath(`${scenario.name}, stopped at append ${k} and woken later`, () => runWoken(scenario, calm, k));
    }
  }
  for (const { memory } of calm.deaths) memory.remove();
}
moved += 1;
await tryDeath("a step moved to another phase is refused", refusesMoved);

console.log(
  JSON.stringify({
    host: values.host,
    points,
    appends,
    zombies,
    moved,
    failures: failures.length,
    first: failures.slice(0, 5),
  }),
);
process.exit(failures.length === 0 ? 0 : 1);

async function tryDeath(title: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function runUninterrupted(scenario: Scenario): Promise<UninterruptedRun> {
  const memory = remember();
  const oracle = newOracle();
  const deaths: UninterruptedRun["deaths"][number][] = [];
  const host = memory.open();
  let begun = false;
  const append: typeof host.journal.append = async (lease, records) => {
    await host.journal.append(lease, records);
    // Copied before the engine learns that the record is stored, so the copy has nothing that it does afterwards.
    if (begun) deaths.push({ memory: memory.fork(), oracle: copyOf(oracle) });
  };
  const witnessed = { ...host, journal: { ...host.journal, append } };
  const life = await live(sources, { host: witnessed, scenario, oracle, owner: "calm", adopts: false });
  const run = await begin(life, scenario);
  begun = true;
  const status = await toEnd(witnessed, run, scenario);
  const form = sources.toNormalForm(await host.journal.load(run));
  memory.remove();
  return { form, status, deaths, commits: oracle.commits.size };
}

async function runKilled(scenario: Scenario, calm: UninterruptedRun, k: number): Promise<void> {
  const death = calm.deaths[k - 1];
  if (!death) throw new Error("nobody died there");
  const { memory, oracle } = death;
  const second = await live(sources, { host: memory.open(), scenario, oracle, owner: "second", adopts: k % 2 === 0 });
  const [known] = await second.host.runs.list();
  const run = known?.id ?? "";
  const status = await toEnd(second.host, run, scenario);
  await compare(second, run, { calm, status, oracle });
  memory.remove();
}

async function runWoken(scenario: Scenario, calm: UninterruptedRun, k: number): Promise<void> {
  const memory = remember();
  const oracle = newOracle();
  const starter = await live(sources, { host: memory.open(), scenario, oracle, owner: "starter", adopts: false });
  const run = await begin(starter, scenario);
  const zombie = sleepy(memory.open(), k);
  await live(sources, { host: zombie.host, scenario, oracle, owner: "zombie", adopts: false });
  const first = toEnd(zombie.host, run, scenario).then(
    () => "went on",
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  if ((await Promise.race([zombie.slept, first])) !== undefined) return;
  const fresh = memory.open();
  // The old owner wakes up between the new one's claim and its first append: the worst moment.
  const append: typeof fresh.journal.append = async (lease, records) => {
    zombie.wake();
    await first;
    return fresh.journal.append(lease, records);
  };
  const second = await live(sources, {
    host: { ...fresh, journal: { ...fresh.journal, append } },
    scenario,
    oracle,
    owner: "second",
    adopts: false,
  });
  const status = await toEnd(second.host, run, scenario);
  const ended = await first;
  if (ended !== "FENCED") throw new Error(`the old owner was not fenced: ${ended}`);
  await compare(second, run, { calm, status, oracle });
  memory.remove();
}

async function compare(
  life: Life,
  run: string,
  at: { calm: UninterruptedRun; status: string; oracle: Oracle },
): Promise<void> {
  const records = await life.host.journal.load(run);
  const form = sources.toNormalForm(records);
  if (at.status !== at.calm.status) throw new Error(`ended ${at.status}, undisturbed ${at.calm.status}`);
  if (!isDeepStrictEqual(form, at.calm.form)) throw new Error(findDifference(at.calm.form, form));
  const twice = [...at.oracle.starts].find(([, starts]) => starts > 1);
  if (twice) throw new Error(`${twice[0]} was started ${twice[1]} times`);
  if (at.oracle.commits.size !== at.calm.commits)
    throw new Error(`${at.oracle.commits.size} different commits, undisturbed ${at.calm.commits}`);
  assertNoGap(records);
}

function assertNoGap(records: readonly JournalRecord[]): void {
  const wrong = records.find((record, index) => record.seq !== index + 1);
  if (wrong) throw new Error(`a gap before record ${wrong.seq}`);
}

function findDifference(calm: readonly string[], got: readonly string[]): string {
  const at = calm.findIndex((line, index) => line !== got[index]);
  return `record ${at} is ${got[at]?.slice(0, 300)} and was ${calm[at]?.slice(0, 300)}`;
}

async function refusesMoved(): Promise<void> {
  const memory = remember();
  const oracle = newOracle();
  const life = await live(sources, {
    host: memory.open(),
    scenario: movedStep.before,
    oracle,
    owner: "first",
    adopts: false,
  });
  const run = await begin(life, movedStep.before);
  await life.host.drive(run);
  const second = await live(sources, {
    host: memory.open(),
    scenario: movedStep.after,
    oracle,
    owner: "second",
    adopts: false,
  });
  const outcome = await second.host.drive(run).then(
    ({ status }) => status,
    (error: unknown) => (error as { code?: string }).code,
  );
  memory.remove();
  if (outcome !== "STEP_DIVERGED") throw new Error(`it was ${outcome}`);
}
