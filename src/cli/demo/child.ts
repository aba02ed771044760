import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JournalRecord } from "../../core/record.ts";
import type { DemoProject } from "./project.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));

export type Child = { readonly pid: number; readonly exited: Promise<number>; kill(): void };

/** The real program in a process of its own; `heard` gets each line of its JSON as it comes. */
export function signalbox(project: DemoProject, args: readonly string[], heard: (line: unknown) => void): Child {
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const child = spawn(process.execPath, [BIN, ...args, "--json", "-C", project.repo], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...homes(project.home), PATH: path, SIGNALBOX_TRUST: "1" },
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => heard(JSON.parse(line)));
  const read = new Promise<void>((resolve) => lines.once("close", resolve));
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 128)));
  return {
    pid: child.pid ?? 0,
    exited: Promise.all([ended, read]).then(([code]) => code),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Nothing of the demo stays in the user's folders, and nothing of theirs plays in it. */
function homes(home: string): NodeJS.ProcessEnv {
  return { XDG_CACHE_HOME: `${home}/cache`, XDG_STATE_HOME: `${home}/state`, XDG_CONFIG_HOME: `${home}/config` };
}

/** True for a record of a journal; the program's other lines are errors and documents. */
export function isRecord(line: unknown): line is JournalRecord {
  return typeof line === "object" && line !== null && "seq" in line && "run" in line;
}
