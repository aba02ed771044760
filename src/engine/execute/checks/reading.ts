import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ReadingReply, ReadingRequest } from "./reading-thread.ts";
import { READINGS, type ReadingName, type Readings } from "./readings.ts";

/** `over`: why the reading was stopped before its end. */
export type Reading<N extends ReadingName> =
  | { readonly answer: ReturnType<Readings[N]> }
  | { readonly over: "time" | "memory" | "canceled" };

export type ReadingOrder<N extends ReadingName> = {
  readonly name: N;
  readonly question: Parameters<Readings[N]>[0];
  /** The total length of its texts. */
  readonly chars: number;
  readonly signal?: AbortSignal;
  readonly mostMs?: number;
};

/** Shorter than a lease. */
export const MOST_MS = 20_000;
const MOST_MEMORY_MB = 1_024;
/**
 * Shorter texts are read on the calling thread: the bounds keep even the worst of them fast, and a thread takes time to
 * start.
 */
const FEW_CHARS = 16 * 1024;

/**
 * Reads what an agent or a program wrote on another thread. The answer, or why there is none, comes within the limits
 * for any text, and the calling thread stays free. One at a time: the limit counts from the start of the reading.
 */
export async function readOnThread<N extends ReadingName>(order: ReadingOrder<N>): Promise<Reading<N>> {
  if (order.chars <= FEW_CHARS) return { answer: readInline(order) };
  const read = waiting.then(() => readNow(order));
  waiting = read.catch(() => undefined);
  return read;
}

function readInline<N extends ReadingName>({ name, question }: ReadingOrder<N>): ReturnType<Readings[N]> {
  // The question belongs to the name, which TypeScript cannot infer through the table.
  const read = READINGS[name] as (question: unknown) => ReturnType<Readings[N]>;
  return read(question);
}

// Global to the process, like its memory: a thread takes a while to start and serves all callers.
let waiting: Promise<unknown> = Promise.resolve();
let idle: Worker | undefined;

async function readNow<N extends ReadingName>({ name, question, signal, mostMs = MOST_MS }: ReadingOrder<N>) {
  if (signal?.aborted) return { over: "canceled" } as const;
  const thread = idle ?? (await startThread());
  idle = undefined;
  // The process must not end while it waits for this answer, and must not stay for an idle thread.
  thread.ref();
  const reading = await awaitReading<N>(thread, { asked: { name, question }, signal, mostMs });
  if ("over" in reading) await thread.terminate();
  else {
    thread.unref();
    idle = thread;
  }
  return reading;
}

type ReadingWait = {
  readonly asked: ReadingRequest;
  readonly signal: AbortSignal | undefined;
  readonly mostMs: number;
};

function awaitReading<N extends ReadingName>(
  thread: Worker,
  { asked, signal, mostMs }: ReadingWait,
): Promise<Reading<N>> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      clearTimeout(alarm);
      signal?.removeEventListener("abort", cancel);
      thread.off("message", receiveReply).off("error", fail);
      finish();
    };
    const resolveOver = (why: "time" | "memory" | "canceled") => end(() => resolve({ over: why }));
    const cancel = () => resolveOver("canceled");
    const fail = (error: unknown) => (isMemory(error) ? resolveOver("memory") : end(() => reject(error)));
    const receiveReply = (said: ReadingReply) =>
      end(() => {
        if ("threw" in said) reject(new Error(`${asked.name}: ${said.threw}`));
        // The thread uses the same table that the name was taken from.
        else resolve({ answer: said.answer as ReturnType<Readings[N]> });
      });
    const alarm = setTimeout(() => resolveOver("time"), mostMs);
    signal?.addEventListener("abort", cancel, { once: true });
    thread.on("message", receiveReply).on("error", fail);
    thread.postMessage(asked);
  });
}

function isMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/**
 * Starts the same program from the sources and from the built package. Loading it does not count against the limits of
 * a text.
 */
async function startThread(): Promise<Worker> {
  const program = new URL(`./reading-thread${extname(import.meta.url)}`, import.meta.url);
  const limits = { maxOldGenerationSizeMb: MOST_MEMORY_MB };
  const thread = new Worker(program, { resourceLimits: limits, env: {}, execArgv: [] });
  await once(thread, "message");
  // A thread that dies while idle must not end the process.
  return thread.on("error", () => undefined);
}
