import { parentPort } from "node:worker_threads";
import { SignalboxError } from "../../src/core/failure/errors.ts";
import { EVIL } from "./evil.ts";
import { textFor } from "./generate.ts";
import { readerOf } from "./readers.ts";
import type { Trial, TrialResult } from "./trial.ts";

parentPort?.on("message", (trial: Trial) => parentPort?.postMessage(tryText(trial)));
parentPort?.postMessage("ready");

function tryText(trial: Trial): TrialResult {
  const reader = readerOf(trial.reader);
  const text =
    "seed" in trial ? textFor(reader, trial.seed) : (EVIL[trial.evil]?.(trial.size) ?? "").slice(0, reader.most);
  const start = process.threadCpuUsage();
  const threw = findFault(() => reader.read(text));
  const { user, system } = process.threadCpuUsage(start);
  return { chars: text.length, cpuMs: (user + system) / 1_000, ...(threw === undefined ? {} : { threw }) };
}

/** Returns the fault of a reader. An error of ours is a valid answer, any other is a fault. */
function findFault(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
