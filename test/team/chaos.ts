import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRealWorld } from "../../src/cli/real-world.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Host } from "../../src/core/ports/host.ts";
import { openTeam } from "../../src/hosts/dbos/open-team.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import type { RealWorld } from "../worlds/world.ts";
import { type Machine, type TeamScene, teamScene } from "./scene.ts";
import { createTroubles, type Trouble, type Troubles } from "./troubles.ts";
import { CONFIG, FILES, startOf, WORLDS } from "./worlds.ts";

export type ChaosOrder = {
  readonly runs: number;
  /** Duration of the disturbances; remaining runs end undisturbed. */
  readonly seconds: number;
  readonly killEveryMs: number;
  readonly restartEveryMs: number;
  /** Longer than a worker's lease. */
  readonly pauseMs: number;
  readonly log?: (line: string) => void;
};

export type ChaosReport = {
  readonly runs: number;
  readonly troubles: Readonly<Record<Trouble["kind"], number>>;
  /** Broken guarantees; empty if all hold. */
  readonly wrong: readonly string[];
  /** Times from a worker's end to the next engine of its run. */
  readonly takeoversMs: readonly number[];
  /** Memory and connections of the undisturbed worker over time. */
  readonly memoryMb: readonly number[];
  readonly connections: readonly number[];
  readonly seconds: number;
};

/**
 * Runs all five pipelines on three workers while one is killed, one paused beyond its lease, and Postgres restarted.
 */
export async function chaos(order: ChaosOrder): Promise<ChaosReport> {
  const from = performance.now();
  const server = await startPostgres();
  const scene = teamScene({ url: await server.database("team"), files: FILES, config: CONFIG });
  try {
    return { ...(await runChaos(scene, server, order)), seconds: Math.round((performance.now() - from) / 1000) };
  } finally {
    await scene.remove();
    await server.stop();
  }
}

async function runChaos(scene: TeamScene, server: TestPostgres, order: ChaosOrder) {
  const log = order.log ?? (() => undefined);
  const person = scene.machine("person");
  await needs(await person.signalbox("migrate"), "migrate");
  const submitted = await submitAll(person, scene, order.runs);
  log(`${submitted.size} runs are submitted`);
  const machines = ["a", "b", "c"].map((name) => scene.machine(name));
  const troubles = createTroubles({ machines, server, ...order, log });
  await troubles.over;
  const host = await openTeam({ url: person.env["SIGNALBOX_POSTGRES"] ?? "", world: createRealWorld() });
  try {
    await waitForAllEnds(host, submitted, log);
    return await createReport(host, { scene, submitted, troubles });
  } finally {
    await host.close();
  }
}

async function needs(end: { readonly code: number | null; readonly out: string; readonly err: string }, what: string) {
  if (end.code !== 0) throw new Error(`${what} left with ${end.code}: ${end.out}${end.err}`);
  return end;
}

const LANES = 2;

async function submitAll(person: Machine, scene: TeamScene, runs: number): Promise<ReadonlyMap<string, RealWorld>> {
  const submitted = new Map<string, RealWorld>();
  writeFileSync(getStartsFile(scene), "");
  const submit = async (n: number): Promise<void> => {
    const world = WORLDS[n % WORLDS.length] as RealWorld; // The remainder is an index of the list.
    const start = startOf(world, n, getStartsFile(scene));
    const file = join(scene.dir, `${n}.agents.yaml`);
    writeFileSync(file, start.agents);
    const { out } = await needs(await person.signalbox("run", ...start.args, "--agents", file, "--detach"), "run");
    submitted.set(/"run":"([a-z0-9-]+)"/.exec(out)?.[1] ?? "", world);
  };
  const numbers = Array.from({ length: runs }, (_, n) => n).values();
  const submitLane = async (): Promise<void> => {
    for (const n of numbers) await submit(n);
  };
  await Promise.all(Array.from({ length: LANES }, submitLane));
  return submitted;
}

const getStartsFile = ({ dir }: TeamScene): string => join(dir, "starts");

const LOOK_MS = 1_000;
/** The chaos test fails if no run ends for this long. */
const STUCK_MS = 180_000;

async function waitForAllEnds(host: Host, submitted: ReadonlyMap<string, RealWorld>, log: (line: string) => void) {
  let [left, since] = [submitted.size + 1, performance.now()];
  while (left > 0 && performance.now() - since < STUCK_MS) {
    // A run suspended because its worker or the server failed is resumed automatically, so it has not ended.
    const rows = (await host.runs.list()).filter(({ id, status }) => {
      const world = submitted.get(id);
      return world !== undefined && status !== world.ends.status;
    });
    if (rows.length !== left) {
      [left, since] = [rows.length, performance.now()];
      log(`${left} runs have not ended`);
    }
    await delay(LOOK_MS);
  }
}

type ChaosResult = {
  readonly scene: TeamScene;
  readonly submitted: ReadonlyMap<string, RealWorld>;
  readonly troubles: Troubles;
};

async function createReport(
  host: Host,
  { scene, submitted, troubles }: ChaosResult,
): Promise<Omit<ChaosReport, "seconds">> {
  const wrong: string[] = [];
  const takeoversMs: number[] = [];
  const happened = troubles.happened();
  for (const [run, world] of submitted) {
    const records = await host.journal.load(run);
    wrong.push(...findViolations({ run, world, records, scene }));
    takeoversMs.push(...measureTakeovers(records, happened));
  }
  const starts = readFileSync(getStartsFile(scene), "utf8").split("\n").filter(Boolean);
  const seen = new Set<string>();
  for (const start of starts) {
    if (seen.has(start)) wrong.push(`${start} was started twice`);
    seen.add(start);
  }
  if (seen.size === 0) wrong.push("no agent wrote down its start");
  const count = (kind: Trouble["kind"]) => happened.filter((trouble) => trouble.kind === kind).length;
  if (count("kill") >= KILLS && takeoversMs.length === 0) wrong.push("workers were killed, and nobody took over");
  if (wrong.length > 0) wrong.push(...troubles.lastWords());
  return {
    runs: submitted.size,
    troubles: { kill: count("kill"), pause: count("pause"), restart: count("restart") },
    wrong,
    takeoversMs: takeoversMs.toSorted((a, b) => a - b),
    ...troubles.samples(),
  };
}

/** With this many kills, at least one hits a worker that has a run. */
const KILLS = 3;

type EndedRun = {
  readonly run: string;
  readonly world: RealWorld;
  readonly records: readonly JournalRecord[];
  readonly scene: TeamScene;
};

function findViolations({ run, world, records, scene }: EndedRun): readonly string[] {
  const end = records.findLast((record) => record.type === "run.finished");
  const name = `${world.pipeline} ${run}`;
  if (!end) return [`${name} has not ended: its last record is ${JSON.stringify(records.at(-1)).slice(0, 400)}`];
  if (end.status !== world.ends.status || end.exit !== world.ends.exit)
    return [`${name} ended as ${end.status} (${end.exit}): ${end.reason ?? ""}`];
  if (end.commit === undefined) return [`${name} names no commit`];
  const git = (...args: string[]) => execFileSync("git", ["-C", scene.bare, ...args], { encoding: "utf8" }).trim();
  const commits = Number(git("rev-list", "--count", `main..${end.commit}`));
  const missing = world.keeps.filter((path) => git("ls-tree", end.commit ?? "", "--", path) === "");
  return [
    ...(commits === world.ends.commits ? [] : [`${name} made ${commits} commits`]),
    ...missing.map((path) => `${name} has no ${path}`),
  ];
}

/** Returns for each replaced engine how long its run had no engine after the worker was killed or paused. */
function measureTakeovers(records: readonly JournalRecord[], happened: readonly Trouble[]): readonly number[] {
  const engines = records.filter((record) => record.type === "engine.started");
  return engines.slice(1).flatMap((engine, index) => {
    const before = engines[index];
    const trouble = happened.findLast(
      ({ worker, at }) => worker !== undefined && worker === before?.owner && at > before.ts && at < engine.ts,
    );
    return trouble ? [engine.ts - trouble.at] : [];
  });
}
