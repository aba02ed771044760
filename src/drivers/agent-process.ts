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

/** A longer line goes on in pieces, which are lines of their own to the protocol; nobody reads longer ones afterwards. */
export const MOST_LINE_BYTES = 1024 * 1024;

/**
 * Every line goes to standard output as it is, so that it counts against the limits and can be read afterwards; on to
 * the protocol go only those that can belong to it. Whole lines, or ours would end up in the middle of one.
 */
function recorded(): Transform {
  let pending: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const last = chunk.lastIndexOf(LINE_FEED);
      size += chunk.length;
      if (last < 0 && size < MOST_LINE_BYTES) {
        pending.push(chunk);
        return done();
      }
      const cut = last < 0 ? chunk.length : last + 1;
      const whole = Buffer.concat([...pending, chunk.subarray(0, cut)]);
      pending = [chunk.subarray(cut)];
      size = chunk.length - cut;
      done(null, record(whole));
    },
    flush: (done) => done(null, record(Buffer.concat(pending))),
  });
}

/** What of it is for the protocol. */
function record(bytes: Buffer): string {
  const lines = bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => !line.startsWith(CLIENT_MARK));
  print(Buffer.from(lines.join("\n")));
  return lines
    .filter((line) => line.startsWith("{"))
    .map((line) => `${line}\n`)
    .join("");
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
