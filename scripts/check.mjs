// Runs format, lint, types, unused code and plain language side by side, and prints what each of them found.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const CHECKS = {
  "format and lint": ["node", "scripts/lint.mjs"],
  types: ["tsc", "--noEmit"],
  "types of the dashboard": ["tsc", "-p", "web", "--noEmit"],
  "unused code": ["knip", "--cache"],
  "plain language": ["node", "scripts/voice.mjs"],
};

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, [program, ...args]]) => {
    const started = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const exited = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { name, code, output: out + err, seconds: (performance.now() - started) / 1_000 };
  }),
);
for (const { name, code, output, seconds } of results) {
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds.toFixed(1)} s)`);
  if (code !== 0 || name === "plain language") console.log(output.trimEnd());
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
