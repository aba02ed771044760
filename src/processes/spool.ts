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
 * The files that a process leaves in its spool. `process` is written before it starts, `leader` by itself as the
 * first thing it does, `exit` by itself as the last; `stopped` by us before the first signal, `worked` by us whenever it
 * is seen at work without a word: its time is what counts.
 */
export const spoolFiles = (spool: string) => ({
  stdin: join(spool, "stdin"),
  stdout: join(spool, "stdout"),
  stderr: join(spool, "stderr"),
  process: join(spool, "process"),
  leader: join(spool, "leader"),
  exit: join(spool, "exit"),
  stopped: join(spool, "stopped"),
  worked: join(spool, "worked"),
});

export type Birth = {
  readonly cookie: string;
  readonly boot: string;
  readonly startedAt: number;
  /** Folders made for its sandbox, to be taken away afterwards. */
  readonly reserved: readonly string[];
};

export function recordBirth(spool: string, birth: Birth): void {
  const files = spoolFiles(spool);
  for (const stale of [files.leader, files.exit, files.stopped, files.worked]) rmSync(stale, { force: true });
  writeFileSync(files.process, JSON.stringify(birth));
}

export function birthOf(spool: string): Birth | undefined {
  try {
    // Written by recordBirth alone; a torn write does not parse.
    return JSON.parse(readFileSync(spoolFiles(spool).process, "utf8")) as Birth;
  } catch {
    return undefined;
  }
}

export function recordStop(spool: string, reason: StopReason): void {
  try {
    writeFileSync(spoolFiles(spool).stopped, reason);
  } catch {
    // A full disk must not keep us from stopping what fills it.
  }
}

export function recordWork(spool: string): void {
  try {
    writeFileSync(spoolFiles(spool).worked, "");
    const now = new Date();
    // Writing nothing into an empty file leaves its time as it was.
    utimesSync(spoolFiles(spool).worked, now, now);
  } catch {
    // It is only for whoever looks at the countdown.
  }
}

/** What the process itself recorded as its last act; undefined while it runs, when it was stopped, or cut off. */
export function recordedExit(spool: string): { readonly status: number; readonly at: number } | undefined {
  const files = spoolFiles(spool);
  if (textOf(files.stopped) !== undefined) return undefined;
  const status = /^(\d{1,3})\n$/.exec(textOf(files.exit) ?? "")?.[1];
  return status === undefined ? undefined : { status: Number(status), at: statSync(files.exit).mtimeMs };
}

/** The leader's pid and start time, from the line of /proc/<pid>/stat that it copied. */
export function leaderOf(spool: string): { readonly pid: number; readonly startTime: string } | undefined {
  const line = textOf(spoolFiles(spool).leader);
  return line?.endsWith("\n") ? parseStat(line) : undefined;
}

export function outputBytes(spool: string): number {
  const files = spoolFiles(spool);
  return sizeOf(files.stdout) + sizeOf(files.stderr);
}

export type Ending = Pick<ProcessExit, "code" | "signal" | "stopped" | "ms">;

export function exitWithOutput(spool: string, ending: Ending): ProcessExit {
  const files = spoolFiles(spool);
  return {
    ...ending,
    stdoutBytes: sizeOf(files.stdout),
    stdoutTail: tailOf(files.stdout),
    stderrTail: tailOf(files.stderr),
  };
}

/** Behind its own last words. */
export function addWords(spool: string, words: string): void {
  try {
    appendFileSync(spoolFiles(spool).stderr, `${words}\n`);
  } catch {
    // What it said itself is there.
  }
}

const TAIL_BYTES = 64 * 1024;

function tailOf(path: string): string {
  let file: number;
  try {
    // Without waiting: a pipe in the file's place would keep us for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return "";
  }
  try {
    const found = fstatSync(file);
    const size = found.isFile() ? found.size : 0;
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return wholeCharacters(bytes.subarray(0, read), size > TAIL_BYTES).toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** A cut may fall inside a character: its continuation bytes are dropped rather than shown as damage. */
function wholeCharacters(bytes: Buffer, cut: boolean): Buffer {
  let start = 0;
  while (cut && start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
