import { type ChildProcessByStdio, spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { type Readable, Transform, type Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { CLIENT_MARK, type ClientLine, type ClientOrder } from "./client-line.ts";

export type AgentEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly input: Writable;
  /** What it says in the protocol. */
  readonly output: Readable;
  readonly ended: Promise<AgentEnd>;
  /** Closes its input, then asks, then ends it. */
  end(): Promise<void>;
};

/** In a group of its own: what stops us leaves us the time to cancel its turn first. */
export function startAgent(order: ClientOrder): AgentProcess {
  const child = spawn(order.command, order.args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  // It may leave without having read everything.
  child.stdin.on("error", () => undefined);
  const ended = endOf(child, order.command);
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Gone meanwhile, which is what was wanted.
    }
  };
  return {
    input: child.stdin,
    output: child.stdout.pipe(recorded()),
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

export function say(line: ClientLine): void {
  print(Buffer.from(`${JSON.stringify(line)}\n`));
}

/** Standard output is a file, so nothing is lost when the process ends right after. */
function print(bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(1, bytes, done);
}

const LINE_FEED = 0x0a;
const MOST_PENDING_BYTES = 1024 * 1024;

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
      if (last < 0 && size < MOST_PENDING_BYTES) {
        pending.push(chunk);
        return done();
      }
      const cut = last < 0 ? chunk.length : last + 1;
      const whole = Buffer.concat([...pending, chunk.subarray(0, cut)]);
      pending = [chunk.subarray(cut)];
      size = chunk.length - cut;
      const lines = whole
        .toString("utf8")
        .split("\n")
        .filter((line) => !line.startsWith(CLIENT_MARK));
      print(Buffer.from(lines.join("\n")));
      done(
        null,
        lines
          .filter((line) => line.startsWith("{"))
          .map((line) => `${line}\n`)
          .join(""),
      );
    },
  });
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function endOf(child: Child, command: string): Promise<AgentEnd> {
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
    child.once("error", (error: NodeJS.ErrnoException) => {
      // As a shell would say it.
      process.stderr.write(`${command}: ${error.code === "ENOENT" ? "not found" : error.message}\n`);
      resolve({ code: error.code === "ENOENT" ? 127 : 126, signal: null });
    });
  });
}
