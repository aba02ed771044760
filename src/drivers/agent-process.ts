import { type ChildProcessByStdio, spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { type Readable, Transform, type Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";

export type AgentCommand = { readonly command: string; readonly args: readonly string[] };
export type AgentEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly input: Writable;
  /** What it says in its protocol: whole lines in every chunk. Must be read to its end. */
  readonly output: Readable;
  /** After everything that it said was recorded. */
  readonly ended: Promise<AgentEnd>;
  /** Closes its input, then asks, then ends it. */
  end(): Promise<void>;
};

/** In a group of its own: what stops us leaves us the time to cancel its turn first. */
export function startAgent({ command, args }: AgentCommand): AgentProcess {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  // It may leave without having read everything.
  child.stdin.on("error", () => undefined);
  const output = child.stdout.pipe(recorded());
  const ended = endOf(child, command, output);
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Gone meanwhile, which is what was wanted.
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
        signalGroup(signal);
      }
    },
  };
}

const ENDING = [
  [2_000, "SIGTERM"],
  [1_000, "SIGKILL"],
] as const;

/** The client's own lines begin with this; all others on its standard output are what the agent has sent, as it is. */
export const CLIENT_MARK = '{"client":';

/** `client` must come first. */
export function say<Line extends { readonly client: string }>(line: Line): void {
  print(Buffer.from(`${JSON.stringify(line)}\n`));
}

/** Standard output is a file, so nothing is lost when the process ends right after. */
function print(bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(1, bytes, done);
}

const LINE_FEED = 0x0a;
const BRACE = 0x7b;

/** Of a longer line only the beginning goes on to the protocol, as a line; nobody reads longer ones afterwards. */
export const MOST_LINE_BYTES = 1024 * 1024;

/**
 * Every line goes to standard output as it is, so that it counts against the limits and can be read afterwards; on to
 * the protocol go only those that can belong to it. Whole lines, or ours would end up in the middle of one; bytes and
 * no texts, or a flood would fill the memory with them.
 */
function recorded(): Transform {
  let pending: Buffer[] = [];
  let size = 0;
  let isLong = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const rest = isLong ? printToItsEnd(chunk) : chunk;
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
      done(null, record(whole));
    },
    flush: (done) => done(null, record(Buffer.concat(pending))),
  });
}

/** The rest of a long line; then gives what follows it, and nothing as long as it goes on. */
function printToItsEnd(bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf(LINE_FEED) + 1;
  print(end === 0 ? bytes : bytes.subarray(0, end));
  return end === 0 ? undefined : bytes.subarray(end);
}

/** What of it is for the protocol. */
function record(bytes: Buffer): Buffer {
  const own = bytes.includes(CLIENT_MARK) ? withoutForged(bytes) : bytes;
  print(own);
  return linesOfObjects(own);
}

function withoutForged(bytes: Buffer): Buffer {
  const lines = bytes.toString("utf8").split("\n");
  return Buffer.from(lines.filter((line) => !line.startsWith(CLIENT_MARK)).join("\n"));
}

function linesOfObjects(bytes: Buffer): Buffer {
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

async function endOf(child: Child, command: string, output: Readable): Promise<AgentEnd> {
  const end = await new Promise<AgentEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", (error: NodeJS.ErrnoException) => {
      // As a shell would say it.
      process.stderr.write(`${command}: ${error.code === "ENOENT" ? "not found" : error.message}\n`);
      resolve({ code: error.code === "ENOENT" ? 127 : 126, signal: null });
    });
  });
  // Something that it has left running may hold its output open for ever.
  await Promise.race([finished(output).catch(() => undefined), wait(REST_MS)]);
  return end;
}

/** What was said before the end is in the pipe: to read it takes no time. */
const REST_MS = 1_000;
