import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ProcessExit, StopReason } from "../core/ports/processes.ts";
import { parseStat } from "../node/process-identity.ts";

/**
 * Files of a process in its spool. `process` is written before the start; the process writes `leader` first and `exit`
 * last. The engine writes `stopped` before the first signal, and touches `worked` when it observes activity without
 * output.
 */
export const getSpoolFiles = (spool: string) => ({
  stdin: join(spool, "stdin"),
  stdout: join(spool, "stdout"),
  stderr: join(spool, "stderr"),
  process: join(spool, "process"),
  leader: join(spool, "leader"),
  exit: join(spool, "exit"),
  stopped: join(spool, "stopped"),
  worked: join(spool, "worked"),
});

export type BirthRecord = {
  readonly cookie: string;
  readonly boot: string;
  readonly startedAt: number;
  /** Folders created for its sandbox, to be removed afterwards. */
  readonly reserved: readonly string[];
};

export function recordBirth(spool: string, birth: BirthRecord): void {
  const files = getSpoolFiles(spool);
  for (const stale of [files.leader, files.exit, files.stopped, files.worked]) rmSync(stale, { force: true });
  writeFileSync(files.process, JSON.stringify(birth));
}

export function readBirth(spool: string): BirthRecord | undefined {
  try {
    // Written by `recordBirth` only; a partial write does not parse.
    return JSON.parse(readFileSync(getSpoolFiles(spool).process, "utf8")) as BirthRecord;
  } catch {
    return undefined;
  }
}

export function recordStop(spool: string, reason: StopReason): void {
  try {
    writeFileSync(getSpoolFiles(spool).stopped, reason);
  } catch {
    // A full disk must not prevent stopping the process that fills it.
  }
}

export function recordWork(spool: string): void {
  try {
    writeFileSync(getSpoolFiles(spool).worked, "");
    const now = new Date();
    // Writing nothing to an empty file does not change its time.
    utimesSync(getSpoolFiles(spool).worked, now, now);
  } catch {
    // Needed only for the displayed countdown.
  }
}

/** Returns the exit record that the process wrote last; undefined if it runs, was stopped or was killed. */
export function readExit(spool: string): { readonly status: number; readonly at: number } | undefined {
  const files = getSpoolFiles(spool);
  if (readText(files.stopped) !== undefined) return undefined;
  const status = /^(\d{1,3})\n$/.exec(readText(files.exit) ?? "")?.[1];
  return status === undefined ? undefined : { status: Number(status), at: statSync(files.exit).mtimeMs };
}

/** The leader's pid and start time, from its copy of /proc/<pid>/stat. */
export function readLeader(spool: string): { readonly pid: number; readonly startTime: string } | undefined {
  const line = readText(getSpoolFiles(spool).leader);
  return line?.endsWith("\n") ? parseStat(line) : undefined;
}

export function measureOutput(spool: string): number {
  const files = getSpoolFiles(spool);
  return getSize(files.stdout) + getSize(files.stderr);
}

export type ProcessEnd = Pick<ProcessExit, "code" | "signal" | "stopped" | "ms">;

export function createExit(spool: string, ending: ProcessEnd): ProcessExit {
  const files = getSpoolFiles(spool);
  return {
    ...ending,
    stdoutBytes: getSize(files.stdout),
    stdoutTail: readTail(files.stdout),
    stderrTail: readTail(files.stderr),
  };
}

/** Appends to the recorded standard error. */
export function appendStderr(spool: string, words: string): void {
  try {
    appendFileSync(getSpoolFiles(spool).stderr, `${words}\n`);
  } catch {
    // The process's own output is recorded anyway.
  }
}

const TAIL_BYTES = 64 * 1024;

function readTail(path: string): string {
  let file: number;
  try {
    // Non-blocking, because the path may be a FIFO.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return "";
  }
  try {
    const found = fstatSync(file);
    const size = found.isFile() ? found.size : 0;
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return trimPartialCharacter(bytes.subarray(0, read), size > TAIL_BYTES).toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** A cut may split a character, so its remaining bytes are dropped. */
function trimPartialCharacter(bytes: Buffer, cut: boolean): Buffer {
  let start = 0;
  while (cut && start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
