import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A text for a reader: generated from a seed, or a known hard input. */
export type Trial = { readonly reader: string } & (
  | { readonly seed: number }
  | { readonly evil: string; readonly size: number }
);
export type TrialResult = { readonly chars: number; readonly cpuMs: number; readonly threw?: string };

/** On a busy machine a wall clock measures other processes, so this limit only stops endless reads. */
const HANG_MS = 60_000;
/** Memory limit for reading any of these texts. */
const MEMORY_MB = 512;
/** Limit for a reader with linear time: 2 s per MiB, plus some start-up time. */
const MS_PER_CHAR = 2_000 / (1024 * 1024);
const LEAST_MS = 1_500;

export type Trials = {
  /** Returns the problem of the reader with this text; undefined if there is none. */
  run(trial: Trial): Promise<string | undefined>;
  end(): Promise<void>;
};

/** Tries texts one after the other on a thread that can be terminated. */
export function openTrials(): Trials {
  let thread: Worker | undefined;
  const end = async (): Promise<void> => {
    await thread?.terminate();
    thread = undefined;
  };
  return {
    async run(trial) {
      thread ??= await startThread();
      const tried = await awaitAnswer(thread, trial);
      if (typeof tried !== "string") return judgeTrial(tried);
      await end();
      return tried;
    },
    end,
  };
}

function judgeTrial({ chars, cpuMs, threw }: TrialResult): string | undefined {
  if (threw !== undefined) return `threw ${threw}`;
  const most = LEAST_MS + chars * MS_PER_CHAR;
  return cpuMs > most
    ? `took ${Math.round(cpuMs)} ms for ${chars} characters; ${Math.round(most)} are allowed`
    : undefined;
}

async function startThread(): Promise<Worker> {
  const program = new URL("./trial-thread.ts", import.meta.url);
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, execArgv: [] });
  await once(thread, "message");
  return thread;
}

/** Resolves with the result, or with the reason why there is none. */
function awaitAnswer(thread: Worker, trial: Trial): Promise<TrialResult | string> {
  return new Promise((resolve) => {
    const end = (said: TrialResult | string) => {
      clearTimeout(alarm);
      thread.off("message", end).off("error", fail);
      resolve(said);
    };
    const fail = (error: unknown) => end(`ended its thread: ${String(error)}`);
    const alarm = setTimeout(() => end(`did not come to an end within ${HANG_MS} ms`), HANG_MS);
    thread.on("message", end).on("error", fail);
    thread.postMessage(trial);
  });
}
