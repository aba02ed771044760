import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));
/** A document that says what was done; whoever prints more has gone astray. */
const MOST_BYTES = 8 * 1024 * 1024;

export type OwnCommand = {
  readonly top: string;
  readonly args: readonly string[];
  /** By standard input: arguments are there to be read by everybody on the machine. */
  readonly input?: Json;
};

/** A command of this very program in a process of its own: what it answers, or the error that it ended with. */
export async function ownCommand({ top, args, input }: OwnCommand): Promise<{ readonly [key: string]: Json }> {
  const child = spawn(process.execPath, [BIN, "-C", top, ...args], { cwd: top, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input === undefined ? "" : JSON.stringify(input));
  let out = "";
  child.stdout.on("data", (chunk) => {
    out = (out + String(chunk)).slice(-MOST_BYTES);
  });
  await new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  // One document: what was done, or the error that kept it from being done.
  const told = JSON.parse(out.trim().split("\n").at(-1) || "null") as { [key: string]: Json } | null;
  if (told === null) throw new Error(`signalbox ${args[0]} ended without an answer`);
  if (told["type"] !== "error") return told;
  const { code, message, hint } = told;
  // The codes of this very program.
  throw new SignalboxError(code as SignalboxError["code"], String(message), String(hint));
}
