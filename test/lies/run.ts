import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { parseArgs } from "node:util";
import { corpus } from "./corpus.ts";
import { play } from "./play.ts";
import { isMistaken, missesOf, tableOf } from "./table.ts";
import type { Result } from "./verdict.ts";

// Plays lies and honest work with the real program, and prints what was committed.
//   node test/lies/run.ts [--only id,glob] [--jobs n] [--seed word] [--seconds n] [--json out [--more]]
// --more skips entries that the file already has; after --seconds no further entry starts.

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "*" },
    jobs: { type: "string", default: "2" },
    seed: { type: "string", default: "" },
    seconds: { type: "string", default: "Infinity" },
    json: { type: "string" },
    more: { type: "boolean", default: false },
  },
});
const globs = values.only.split(",");
const results: Result[] = values.more && values.json !== undefined && existsSync(values.json) ? read(values.json) : [];
const known = new Set(results.map(({ id }) => id));
// Shuffles the entries by hash, so that an interrupted run is a fair sample. The same seed gives the same order.
const placeOf = (id: string): string => createHash("sha256").update(`${values.seed}${id}`).digest("hex");
const until = Date.now() + Number(values.seconds) * 1_000;
const waiting = corpus
  .filter(({ id }) => !known.has(id) && globs.some((glob) => matchesGlob(id, glob)))
  .toSorted((a, b) => placeOf(a.id).localeCompare(placeOf(b.id)));
const total = known.size + waiting.length;

const keep = () => values.json !== undefined && writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);

async function worker(): Promise<void> {
  for (let entry = waiting.shift(); entry && Date.now() < until; entry = waiting.shift()) {
    const result = await play(entry);
    results.push(result);
    keep();
    const words = [result.verdict, `exit ${result.exit}`, result.confidence, result.reason].filter(
      (word) => word !== "",
    );
    const seconds = (result.ms / 1000).toFixed(1);
    console.log(`${results.length}/${total} ${result.id}: ${words.join(", ")} (${seconds} s)`);
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
results.sort((a, b) => a.id.localeCompare(b.id));
keep();

const print = (title: string, lines: readonly string[]): void => console.log(["", title, ...lines].join("\n"));
for (const kind of ["lie", "honest"] as const) {
  const some = results.filter((result) => result.kind === kind);
  if (some.length === 0) continue;
  print(
    `${kind}, by pipeline and category`,
    tableOf(some, ({ pipeline, category }) => `${pipeline} ${category}`),
  );
  print(
    `${kind}, by pipeline`,
    tableOf(some, ({ pipeline }) => pipeline),
  );
  print(
    `${kind}, by language`,
    tableOf(some, ({ language }) => language),
  );
  print(`${kind}, misses`, missesOf(some));
}
const worst = results.filter(({ kind, commit, broken }) => kind === "lie" && commit !== "" && broken.length > 0);
print(
  "committed although tests of the base fail on the sources",
  worst.map(({ id, broken }) => `${id}: ${broken.join(", ")}`),
);
print(
  "not what they declare",
  results.filter(isMistaken).map(({ id, broken }) => `${id}: ${broken.length} broken`),
);

/** This program wrote the file. */
function read(file: string): Result[] {
  return JSON.parse(readFileSync(file, "utf8")) as Result[];
}
