import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type WorkerProcess = {
  readonly child: ChildProcess;
  readonly said: readonly string[];
  /** Resolves when the worker has printed the line that many times. Rejects with its whole output if it ends before. */
  says(what: string, times?: number): Promise<void>;
};

/** Runs a serving program of test/support in a separate process. */
export function startWorkerProcess(program: string, args: readonly string[]): WorkerProcess {
  const path = fileURLToPath(new URL(`../../../test/support/${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: "pipe" });
  const said: string[] = [];
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const lines = createInterface(child.stdout).on("line", (line) => said.push(line));
  return {
    child,
    said,
    says: (what, times = 1) =>
      new Promise((resolve, reject) => {
        const look = () => said.filter((line) => line === what).length >= times && resolve();
        look();
        lines.on("line", look);
        child.once("exit", () => reject(new Error(`${program} ended before it printed ${what}: ${said}\n${errors}`)));
      }),
  };
}
