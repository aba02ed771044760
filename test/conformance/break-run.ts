import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MutantOrder, MutantResult } from "./break-worker.ts";

const WORKERS = 2;
/** Far above the slowest normal break: a longer run is an endless loop. */
const PATIENCE_MS = 180_000;

/** Tries every break once, a few at a time, and reports each result as it arrives. */
export async function runMutants(
  orders: readonly MutantOrder[],
  tell: (result: MutantResult) => void,
): Promise<readonly MutantResult[]> {
  const left = [...orders];
  const results: MutantResult[] = [];
  const work = async (): Promise<void> => {
    let worker = await startWorker();
    for (let order = left.shift(); order; order = left.shift()) {
      const result = await askWorker(worker, order);
      results.push(result);
      tell(result);
      if (isGone(worker)) worker = await startWorker();
    }
    await stopWorker(worker);
  };
  await Promise.all(Array.from({ length: Math.min(WORKERS, orders.length) }, work));
  return results.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Starts a worker. It may be killed at any time, so this process removes its copy of the sources. */
function startWorker(): Promise<ChildProcess> {
  const copy = mkdtempSync(join(tmpdir(), "signalbox-break-"));
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const worker = fork(join(import.meta.dirname, "break-worker.ts"), [copy], { stdio: [...stdio] });
  worker.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker)).once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a worker left with ${code} before it was ready`)));
  });
}

function askWorker(worker: ChildProcess, order: MutantOrder): Promise<MutantResult> {
  const { id } = order;
  return new Promise((resolve) => {
    const give = (result: MutantResult): void => {
      clearTimeout(timer);
      worker.off("message", give).off("exit", left);
      resolve(result);
    };
    const left = (): void => give({ id, noticed: false, why: "its worker died", ms: 0 });
    const timer = setTimeout(() => {
      give({ id, noticed: true, why: "its tests no longer come to an end", ms: PATIENCE_MS });
      worker.kill("SIGKILL");
    }, PATIENCE_MS);
    worker.once("message", give).once("exit", left);
    worker.send(order);
  });
}

const isGone = ({ exitCode, killed }: ChildProcess): boolean => exitCode !== null || killed;

async function stopWorker(worker: ChildProcess): Promise<void> {
  if (isGone(worker)) return;
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  worker.disconnect();
  await gone;
}
