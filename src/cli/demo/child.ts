import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { DemoProject } from "./project.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));

/** As a shell counts them: the exit code, or 128 and the signal. */
export const KILLED = 128 + 9;

export type Child = {
  readonly pid: number;
  readonly exited: Promise<number>;
  kill(signal: NodeJS.Signals): void;
};

type ChildOrder = { readonly project: DemoProject; readonly args: readonly string[]; readonly colour?: boolean };

/** The real program in a process of its own, called as a user would; `heard` gets each line as it is printed. */
export function signalbox({ project, args, colour }: ChildOrder, heard: (line: string) => void): Child {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: project.repo,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...project.env, ...(colour ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) },
    // A group of its own: Ctrl-C reaches it once, through us, and not a second time from the terminal.
    detached: true,
  });
  const { stdout, stderr } = child;
  const lines = createInterface({ input: stdout });
  lines.on("line", heard);
  const read = new Promise<void>((resolve) => lines.once("close", resolve));
  const complaint = textOf(stderr);
  const exited = Promise.all([endOf(child), read, complaint]).then(([code, , text]) => {
    if (code !== 0 && code < 128 && !EXPECTED.has(code)) process.stderr.write(text);
    return code;
  });
  return { pid: child.pid ?? 0, exited, kill: (signal) => void child.kill(signal) };
}

/** A run that waits for a person leaves with 3. */
export const WAITING = 3;
const EXPECTED: ReadonlySet<number> = new Set([WAITING]);

const SIGNALS: Readonly<Record<string, number>> = { SIGKILL: 9, SIGTERM: 15, SIGINT: 2, SIGHUP: 1 };

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? 128 + (SIGNALS[signal ?? ""] ?? 0))),
  );
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** True for a record of a journal; the program's other lines are errors and documents. */
export function isRecord(line: unknown): line is JournalRecord {
  return typeof line === "object" && line !== null && "seq" in line && "run" in line;
}
