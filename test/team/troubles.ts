import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { TestPostgres } from "../support/postgres.ts";
import type { Machine, WorkerProcess } from "./scene.ts";

export type Trouble = {
  readonly kind: "kill" | "pause" | "restart";
  readonly at: number;
  /** The affected worker's name; undefined for the database and for a worker that has not started. */
  readonly worker: string | undefined;
};

export type Troubles = {
  /** Resolves when all workers accept runs. */
  readonly started: Promise<void>;
  /** Resolves when the disturbances are over. */
  readonly over: Promise<void>;
  happened(): readonly Trouble[];
  /** The last output of the current workers. */
  lastWords(): readonly string[];
  samples(): { readonly memoryMb: readonly number[]; readonly connections: readonly number[] };
};

export type TroublesOrder = {
  /** The first is killed and restarted, the second paused and continued, the third undisturbed and measured. */
  readonly machines: readonly Machine[];
  readonly server: TestPostgres;
  readonly seconds: number;
  readonly killEveryMs: number;
  readonly restartEveryMs: number;
  readonly pauseMs: number;
  readonly log: (line: string) => void;
};

const LAST = 12;
const SAMPLE_MS = 5_000;
const CONCURRENCY = ["--concurrency", "4"] as const;

export function createTroubles(order: TroublesOrder): Troubles {
  const { machines, server, seconds, log } = order;
  const happened: Trouble[] = [];
  const memoryMb: number[] = [];
  const connections: number[] = [];
  const [killed, paused, watched] = machines.map((machine) => startAgain(machine, log));
  if (!killed || !paused || !watched) throw new Error("three machines are needed");
  const note = (kind: Trouble["kind"], worker?: WorkerProcess): void => {
    happened.push({ kind, at: Date.now(), worker: worker?.name() });
    log(`${kind} ${worker ? worker.name() : "of Postgres"}`);
  };
  const started = Promise.all([killed, paused, watched].map(({ worker }) => worker().ready)).then(() => undefined);
  const kill = async () => {
    const worker = killed.worker();
    note("kill", worker);
    await worker.end("SIGKILL");
    killed.again();
  };
  const pause = async () => {
    const worker = paused.worker();
    const { child } = worker;
    note("pause", worker);
    child.kill("SIGSTOP");
    await delay(order.pauseMs);
    child.kill("SIGCONT");
  };
  const restart = async () => {
    note("restart");
    await server.restart();
  };
  const sample = async () => {
    const { pid = 0 } = watched.worker().child;
    memoryMb.push(measureMemory(pid));
    connections.push(await countConnections(server));
  };
  const end = started.then(() => performance.now() + seconds * 1000);
  const every = async (ms: number, act: () => Promise<void>): Promise<void> => {
    const until = await end;
    while (performance.now() + ms < until) {
      await delay(ms);
      await act();
    }
  };
  const over = Promise.all([
    every(order.killEveryMs, kill),
    every(order.pauseMs / 2, pause),
    every(order.restartEveryMs, restart),
    every(SAMPLE_MS, sample),
  ]).then(() => undefined);
  const lastWords = () =>
    [killed, paused, watched].flatMap(({ worker }) => [
      `worker ${worker().child.pid}:`,
      ...worker().lines.slice(-LAST),
    ]);
  return { started, over, lastWords, happened: () => happened, samples: () => ({ memoryMb, connections }) };
}

/** Restarts a worker that exits by itself, as a service manager does; a worker that was declared dead may exit. */
function startAgain(machine: Machine, log: (line: string) => void) {
  let worker: WorkerProcess = machine.worker(...CONCURRENCY);
  const watch = (one: WorkerProcess): void =>
    void one.gone.then((code) => {
      if (one !== worker || code === null) return;
      log(`the worker of ${machine.name} left with ${code}: ${one.lines.slice(-2).join(" ")}`);
      restartWorker();
    });
  const restartWorker = (): void => {
    worker = machine.worker(...CONCURRENCY);
    watch(worker);
  };
  watch(worker);
  return { worker: () => worker, again: restartWorker };
}

function measureMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function countConnections({ url }: TestPostgres): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = 'team'");
    return (rows[0] as { n: number }).n;
  } catch {
    // The worker is being restarted.
    return 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}
