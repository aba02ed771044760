// Format and lint of the files that have changed since Biome last found nothing wrong with them. What it says of a file
// follows from that file, but for import cycles: those it also reports at the import that closes one, which is new.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const KEPT = "node_modules/.cache/signalbox/lint.json";
const RULES = ["biome.json", "node_modules/@biomejs/biome/package.json"];

const rules = RULES.map(digestOf).join();
const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, "utf8")) : {};
const clean = kept.rules === rules ? kept.files : {};
const files = Object.fromEntries(listed().map((file) => [file, digestOf(file)]));
const changed = Object.keys(files).filter((file) => files[file] !== clean[file]);

console.log(`Biome: ${changed.length} of ${Object.keys(files).length} files have changed.`);
if (changed.length > 0) look();

function look() {
  const args = ["check", "--files-ignore-unknown=true", "--no-errors-on-unmatched", ...changed];
  const { status } = spawnSync("node_modules/.bin/biome", args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify({ rules, files }));
}

/** What git knows or would take; a file that was deleted is listed until that is told to git. */
function listed() {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  return [...new Set(stdout.split("\0"))].filter((file) => file !== "" && existsSync(file));
}

function digestOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
