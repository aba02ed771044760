import { open } from "node:fs/promises";
import { join } from "node:path";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { RunStore } from "../runs/run-store.ts";

export const STREAMS = ["stdout", "stderr"] as const;

const TAIL_BYTES = 256 * 1024;

export type OutputTail = { readonly lines: readonly string[]; readonly size: number; readonly cut: boolean };

/** Location of spool folders and the hash that names them. */
export type SpoolStore = {
  readonly places: Pick<RunStore["places"], "runs">;
  readonly world: Pick<RunStore["world"], "hash" | "redact">;
};

type EffectRef = Pick<JournalRecord<"agent.started">, "run" | "effect">;

/** Folder of an attempt's output, which the engine names by a hash of the effect. */
export function resolveSpool({ places, world }: SpoolStore, { run, effect }: EffectRef): string {
  return join(places.runs, run, "spool", `${run}-${world.hash(effect).slice(0, 16)}`);
}

export type SpoolOutput = { readonly stdout: OutputTail | undefined; readonly stderr: OutputTail | undefined };

type TailOptions = { readonly most: number; readonly redact: (text: string) => string };

/** Reads the ends of both streams in a folder. */
export async function readStreams(folder: string, ends: TailOptions): Promise<SpoolOutput> {
  const [stdout, stderr] = await Promise.all(STREAMS.map((name) => readTail({ file: join(folder, name), ...ends })));
  return { stdout, stderr };
}

/** A running agent's file still contains secrets, which may span several lines. They are redacted on reading. */
type SpoolFile = { readonly file: string; readonly redact: (text: string) => string };

type TailRequest = SpoolFile & { readonly most: number; readonly bytes?: number };

/** Reads the last lines of a file without reading all of it; undefined if there is no file. */
export async function readTail({
  file,
  most,
  bytes = TAIL_BYTES,
  redact,
}: TailRequest): Promise<OutputTail | undefined> {
  const read = await readBytes(file, (size) => Math.max(0, size - Math.min(bytes, TAIL_BYTES)));
  if (!read) return undefined;
  const lines = redact(read.text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  // The first line may be incomplete.
  const whole = read.from > 0 ? lines.slice(1) : lines;
  return { lines: whole.slice(-most), size: read.size, cut: read.from > 0 || whole.length > most };
}

type AddedLines = { readonly lines: readonly string[]; readonly next: number };

/** Returns complete lines added after `from`, and the offset of the next one. */
export async function readAddedLines({
  file,
  from,
  redact,
}: SpoolFile & { readonly from: number }): Promise<AddedLines> {
  const read = await readBytes(file, () => from);
  if (!read) return { lines: [], next: from };
  const end = read.bytes.lastIndexOf(0x0a);
  // An unfinished line is read later, unless it exceeds what is read at once.
  if (end < 0 && read.bytes.length < TAIL_BYTES) return { lines: [], next: from };
  const whole = end < 0 ? read.bytes : read.bytes.subarray(0, end);
  return { lines: redact(whole.toString("utf8")).split("\n"), next: from + whole.length + (end < 0 ? 0 : 1) };
}

async function readBytes(file: string, start: (size: number) => number) {
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    const from = Math.min(start(size), size);
    const buffer = Buffer.alloc(Math.min(size - from, TAIL_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const bytes = buffer.subarray(0, bytesRead);
    return { bytes, text: bytes.toString("utf8"), from, size };
  } finally {
    await handle.close();
  }
}
