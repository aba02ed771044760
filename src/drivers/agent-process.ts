import { type ChildProcessByStdio, spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { type Readable, Transform, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";

export type AgentCommand = { readonly command: string; readonly args: readonly string[] };
export type AgentEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly input: Writable;
  /** Its protocol output. Chunks contain complete lines. Must be read to the end. */
  readonly output: Readable;
  /** Resolves after all output was recorded. */
  readonly ended: Promise<AgentEnd>;
  /** Closes its input, then sends SIGTERM and SIGKILL if it does not exit. */
  end(): Promise<void>;
};

/**
 * Starts the agent in its own process group, so that a signal that stops the client leaves time to cancel the turn
 * first.
 */
export function startAgent({ command, args }: AgentCommand): AgentProcess {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  // The agent may exit without reading all input.
  child.stdin.on("error", () => undefined);
  const output = child.stdout.pipe(createRecorder());
  const ended = awaitEnd(child, command, output);
  const killGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It has exited already.
    }
  };
  return {
    input: child.stdin,
    output,
    ended,
    async end() {
      child.stdin.end();
      for (const [patienceMs, signal] of ENDING) {
        if (await Promise.race([ended.then(() => true), wait(patienceMs, false, { ref: false })])) return;
        killGroup(signal);
      }
    },
  };
}

const ENDING = [
  [2_000, "SIGTERM"],
  [1_000, "SIGKILL"],
] as const;

/** Prefix of the client's own lines. All other lines on its standard output are the agent's, unchanged. */
export const CLIENT_MARK = '{"client":';

/** `client` must be the first key. */
export function printLine<Line extends { readonly client: string }>(line: Line): void {
  print(Buffer.from(`${JSON.stringify(line)}\n`));
}

/** Standard output is a file, so nothing is lost if the process exits right after. */
function print(bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(1, bytes, done);
}

const LINE_FEED = 0x0a;
const BRACE = 0x7b;

/** Longer lines are truncated for the protocol, because no later reader accepts them. */
export const MOST_LINE_BYTES = 1024 * 1024;

/**
 * Copies all output to standard output, so that it counts against the limits and can be read later, and forwards only
 * lines that can belong to the protocol. Writes complete lines, so that the client's own lines do not split one. Works
 * on bytes, because a flood of strings would fill the memory.
 */
function createRecorder(): Transform {
  let pending: Buffer[] = [];
  let size = 0;
  let isLong = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const rest = isLong ? printRestOfLine(chunk) : chunk;
      if (rest === undefined) return done();
      const cut = rest.lastIndexOf(LINE_FEED) + 1;
      size += rest.length;
      isLong = cut === 0 && size >= MOST_LINE_BYTES;
      if (cut === 0 && !isLong) {
        pending.push(rest);
        return done();
      }
      const whole = Buffer.concat([...pending, isLong ? rest : rest.subarray(0, cut)]);
      pending = isLong ? [] : [rest.subarray(cut)];
      size = isLong ? 0 : rest.length - cut;
      done(null, recordBytes(whole));
    },
    flush: (done) => done(null, recordBytes(Buffer.concat(pending))),
  });
}

/** Prints the rest of a long line. Returns the bytes after it, or undefined while the line continues. */
function printRestOfLine(bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf(LINE_FEED) + 1;
  print(end === 0 ? bytes : bytes.subarray(0, end));
  return end === 0 ? undefined : bytes.subarray(end);
}

/** Records the bytes and returns the part for the protocol. */
function recordBytes(bytes: Buffer): Buffer {
  const own = bytes.includes(CLIENT_MARK) ? dropForgedLines(bytes) : bytes;
  print(own);
  return selectObjectLines(own);
}

function dropForgedLines(bytes: Buffer): Buffer {
  const lines = bytes.toString("utf8").split("\n");
  return Buffer.from(lines.filter((line) => !line.startsWith(CLIENT_MARK)).join("\n"));
}

function selectObjectLines(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length + 1);
  let size = 0;
  for (let from = 0, end = 0; from < bytes.length; from = end) {
    end = bytes.indexOf(LINE_FEED, from) + 1 || bytes.length;
    if (bytes[from] === BRACE) size += bytes.copy(kept, size, from, end);
  }
  if (size > 0 && kept[size - 1] !== LINE_FEED) size = kept.writeUInt8(LINE_FEED, size);
  return kept.subarray(0, size);
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

async function awaitEnd(child: Child, command: string, output: Readable): Promise<AgentEnd> {
  const end = await new Promise<AgentEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error: NodeJS.ErrnoException) => {
      // Same wording and code as a shell.
      process.stderr.write(`${command}: ${error.code === "ENOENT" ? "not found" : error.message}\n`);
      resolve({ code: error.code === "ENOENT" ? 127 : 126, signal: null });
    });
  });
  // A process that the agent left running may keep its output open for ever.
  await Promise.race([finished(output).catch(() => undefined), wait(DRAIN_MS)]);
  return end;
}

/** Output from before the exit is already in the pipe and can be read at once. */
const DRAIN_MS = 1_000;
