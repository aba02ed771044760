import { text } from "node:stream/consumers";
import { halfOf, print } from "./print.mjs";

/** Any program: what it prints is its answer, and there are no events. */
export async function openVoice({ good }) {
  const prompt = await text(process.stdin);
  return {
    prompt,
    half: halfOf(good),
    noise: `${"x".repeat(1000)}\n`,
    say: (words) => print(`${words}\n`),
    tool: (output) => print(`${output}\n`),
    succeed: (words) => print(`${words}\n`),
    fail: (message) => process.stderr.write(`${message}\n`),
    throttle: () => print("Trying again.\n"),
    askedToEnd: (then) => process.on("SIGTERM", then),
    finish: () => undefined,
  };
}
