import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { DemoProject } from "./project.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));

/** Exit codes as a shell reports them: the code, or 128 plus the signal. */
export const KILLED = 128 + 9;

export type Child = {
  readonly pid: number;
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
};

type ChildOrder = { readonly project: DemoProject; readonly args: readonly string[]; readonly colour?: boolean };

/** Starts the program in a child process, as a user would. `heard` receives each line as it is printed. */
export function startSignalbox({ project, args, colour }: ChildOrder, onLine: (line: string) => void): Child {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: project.repo,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...project.env, ...(colour ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) },
    // Own process group, so that Ctrl-C reaches the child once, through this process, and not again from the terminal.
    detached: true,
  });
  const { stdout, stderr } = child;
  const lines = createInterface({ input: stdout });
  lines.on("line", onLine);
  const read = new Promise<void>((resolve) => lines.once("close", resolve));
  const complaint = readStream(stderr);
  const exited = Promise.all([waitForExit(child), read, complaint]).then(([code, , text]) => {
    if (code !== 0 && code < 128 && !EXPECTED.has(code)) process.stderr.write(text);
    return code;
  });
  return { pid: child.pid ?? 0, exited, kill: (signal) => void child.kill(signal) };
}

/** Exit code of a run that waits for a person. */
export const WAITING = 3;
const EXPECTED: ReadonlySet<number> = new Set([WAITING]);

const SIGNALS: Readonly<Record<string, number>> = { SIGKILL: 9, SIGTERM: 15, SIGINT: 2, SIGHUP: 1 };

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? 128 + (SIGNALS[signal ?? ""] ?? 0))),
  );
}

async function readStream(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** True for a journal record. Other lines are errors and documents. */
export function isRecord(line: unknown): line is JournalRecord {
  return typeof line === "object" && line !== null && "seq" in line && "run" in line;
}
