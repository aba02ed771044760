import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";

const BIN = fileURLToPath(new URL("../../../bin/signalbox.js", import.meta.url));
/** Limit on the output of a command, which is a JSON document; more indicates a fault. */
const MOST_BYTES = 8 * 1024 * 1024;

export type OwnCommand = {
  readonly top: string;
  readonly args: readonly string[];
  /** Passed on standard input, because arguments are visible to every user of the machine. */
  readonly input?: Json;
};

/** Runs a command of this program in a separate process. Returns its JSON result, or throws the error it reported. */
export async function runOwnCommand({ top, args, input }: OwnCommand): Promise<{ readonly [key: string]: Json }> {
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
  // The last line is the result, or an error document.
  const document = JSON.parse(out.trim().split("\n").at(-1) || "null") as { [key: string]: Json } | null;
  if (document === null) throw new Error(`signalbox ${args[0]} exited without output`);
  if (document["type"] !== "error") return document;
  const { code, message, hint } = document;
  // The codes are those of this program.
  throw new SignalboxError(code as SignalboxError["code"], String(message), String(hint));
}
