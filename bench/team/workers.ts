import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { openTeam, type TeamHost } from "../../src/hosts/dbos/open-team.ts";
import { startSteps, submitterOn } from "../steps.ts";

/** Runs that each worker drives at once. */
const AT_ONCE = 6;
const RUNS = 24;
const STEPS = 60;
const WARM_UP = { runs: 4, steps: 10 };
const PROGRAM = fileURLToPath(new URL("worker.ts", import.meta.url));

export type WorkersRate = { readonly workers: number; readonly rate: number };

/**
 * Measures durable steps per second of the same runs, submitted at once to this many worker processes. Steps without
 * duration show the limit of the database; steps that take `takes` milliseconds show what another worker adds.
 */
export async function workersRate(url: string, workers: number, takes = 0): Promise<WorkersRate> {
  const host = await openTeam({ url, world: createRealWorld() });
  const processes = await Promise.all(Array.from({ length: workers }, () => startWorker(url, takes)));
  try {
    await submitRuns(host, WARM_UP);
    return { workers, rate: await submitRuns(host, { runs: RUNS, steps: STEPS }) };
  } finally {
    await Promise.all(processes.map(stopWorker));
    await host.close();
  }
}

async function submitRuns(host: TeamHost, { runs, steps }: { runs: number; steps: number }): Promise<number> {
  const engine = submitterOn(host);
  const ids = await Promise.all(Array.from({ length: runs }, () => startSteps(engine, steps)));
  const from = performance.now();
  await Promise.all(ids.map((id) => host.team.submit(id, [])));
  const ends = await Promise.all(ids.map((id) => host.drive(id)));
  if (ends.some(({ status }) => status !== "done")) throw new Error("a run of the benchmark failed");
  return (runs * steps * 1_000) / (performance.now() - from);
}

async function startWorker(url: string, takes: number): Promise<ChildProcess> {
  const argv = [PROGRAM, url, String(AT_ONCE), String(takes)];
  const child = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

async function stopWorker(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await once(child, "exit");
}
