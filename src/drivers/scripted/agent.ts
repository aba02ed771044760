import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Action } from "./script.ts";
import type { ScriptedTurn } from "./scripted-turn.ts";

// The program that runs a scripted agent. It starts for every dispatch, so it imports as little as possible.

/** Its output, one JSON text per line. Other lines on standard output are noise. */
export type AgentOutput =
  | { readonly said: "tool"; readonly name: string; readonly detail: string }
  | { readonly said: "throttled"; readonly message: string }
  | { readonly said: "used up"; readonly wakeAt: number }
  | { readonly said: "answer"; readonly text: string };

// Meant for this program only; its commands must not inherit it.
delete process.env["NODE_COMPILE_CACHE"];

// Slow enough that only the wall clock stops it, fast enough that the silence limit does not.
const DRIP_MS = 1_000;

// Written by `createScriptedTurn` only.
const play = JSON.parse(readFileSync(0, "utf8")) as ScriptedTurn;
for (const action of play.do) await performAction(action);
await printAnswer();

async function performAction(action: Action): Promise<void> {
  if (action.write) {
    const path = resolve(action.write.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, action.write.content, action.write.encoding ?? "utf8");
    printOutput({ said: "tool", name: "write", detail: action.write.path });
  }
  if (action.delete !== undefined) {
    rmSync(resolve(action.delete), { recursive: true, force: true });
    printOutput({ said: "tool", name: "delete", detail: action.delete });
  }
  if (action.run !== undefined) await runCommand(action.run);
  if (action.sleep !== undefined) await wait(action.sleep);
  if (action.misbehave !== undefined) await performMisbehavior(action.misbehave);
}

/** A failed command does not end the agent, because real agents read the error and continue. */
async function runCommand(command: string): Promise<void> {
  const { spawnSync } = await import("node:child_process");
  const { status, signal } = spawnSync("/bin/sh", ["-c", command], { stdio: ["ignore", 2, 2] });
  printOutput({ said: "tool", name: "run", detail: `${command} (${signal ?? `exit ${status}`})` });
}

async function performMisbehavior(kind: string): Promise<void> {
  const [name, number = "0"] = kind.split(":");
  if (name === "hang") await hangForever();
  if (name === "crash") process.kill(process.pid, "SIGKILL");
  if (name === "exit") process.exit(Number(number));
  if (name === "flood") printFlood(Number(number));
  if (name === "garbage") print(Buffer.from([0, 255, 254, 27, 91, 50, 74, 13, 192, 128, 123, 34, 10]));
  if (name === "429") exitRefused({ said: "throttled", message: "429 Too Many Requests" });
  if (name === "used-up") exitRefused({ said: "used up", wakeAt: Date.now() + Number(number) * 1_000 });
  if (name === "setsid-child") await leaveChild();
}

/** Ignores SIGTERM, like an agent that hangs. */
async function hangForever(): Promise<never> {
  process.on("SIGTERM", () => undefined);
  for (;;) await wait(60_000);
}

function printFlood(bytes: number): void {
  const block = Buffer.alloc(64 * 1024, "x");
  for (let left = bytes; left > 0; left -= block.length) print(block.subarray(0, Math.min(left, block.length)));
  print("\n");
}

function exitRefused(by: AgentOutput): never {
  printOutput(by);
  process.exit(1);
}

async function leaveChild(): Promise<void> {
  const { spawn } = await import("node:child_process");
  spawn("sleep", ["3600"], { detached: true, stdio: "ignore" }).unref();
}

async function printAnswer(): Promise<void> {
  const line = `${JSON.stringify({ said: "answer", text: play.answer } satisfies AgentOutput)}\n`;
  const drips = play.do.some((action) => action.misbehave === "drip");
  if (!drips) return print(line);
  for (const byte of Buffer.from(line)) {
    print(Buffer.from([byte]));
    await wait(DRIP_MS);
  }
}

function printOutput(output: AgentOutput): void {
  print(`${JSON.stringify(output)}\n`);
}

/** Standard output is a file, so nothing is lost if the process exits right after. */
function print(bytes: string | Buffer): void {
  writeSync(1, typeof bytes === "string" ? Buffer.from(bytes) : bytes);
}
