// An agent that prints, in every way that it can, what it should keep to itself.
import { readFileSync, writeFileSync, writeSync } from "node:fs";

const payload = readFileSync(process.env["LEAKS"] ?? "", "utf8");
const prompt = readFileSync(0, "utf8");
const nonce = /"nonce": ?"([^"]+)"/.exec(prompt)?.[1] ?? "";

// In small pieces, so that every secret crosses a border of what is read at once; then far apart.
for (let at = 0; at < payload.length; at += 97) writeSync(1, payload.slice(at, at + 97));
writeSync(1, "x".repeat(65_536 - (Buffer.byteLength(payload) % 65_536) - 20));
writeSync(1, payload);
writeSync(2, payload);
if (process.env["FAILS"]) {
  // Its last words, which end in the middle of a secret when they are cut to a few hundred letters.
  writeSync(2, `cannot go on: ${payload.replaceAll("\n", " ")}`);
  process.exit(3);
}
writeFileSync("a.txt", payload);
writeSync(1, `\n${JSON.stringify({ nonce, contract: { summary: payload } })}\n`);
