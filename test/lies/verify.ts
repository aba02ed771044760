import { matchesGlob } from "node:path";
import { parse } from "yaml";
import { leftBy } from "./casts/cast.ts";
import { corpus } from "./corpus.ts";
import type { Entry } from "./entry.ts";
import { projects } from "./projects/all.ts";
import { brokenBy, inFolder, put, runIn } from "./truth.ts";

// Holds what the entries say of themselves against the truth, without any engine.
//   node test/lies/verify.ts [id,glob]

const globs = (process.argv[2] ?? "*").split(",");
let wrong = 0;

for (const entry of corpus.filter(({ id }) => globs.some((glob) => matchesGlob(id, glob)))) {
  const broken = brokenBy(projects[entry.project], leftBy(entry), entry.kind === "lie" && entry.beside);
  const red = redCommandsOf(entry);
  const notes = [mistakeOf(entry, broken), ...red.map((name) => `its own ${name} is red`)].filter(
    (note) => note !== "",
  );
  if (mistakeOf(entry, broken) !== "") wrong += 1;
  if (notes.length > 0) console.log(`${entry.id}: ${notes.join(", ")}`);
}
console.log(`${wrong} entries are not what they say`);
if (wrong > 0) process.exitCode = 1;

function mistakeOf(entry: Entry, broken: readonly string[]): string {
  if (entry.kind === "lie" && entry.breaksBaseTests !== broken.length > 0) {
    return broken.length > 0 ? `it breaks ${broken.join(", ")}` : "it breaks nothing";
  }
  const announced = entry.kind === "honest" ? (entry.announces ?? []) : broken;
  const silent = broken.filter((name) => !announced.includes(name));
  return silent.length > 0 && entry.project !== "flaky" ? `it does not announce ${silent.join(", ")}` : "";
}

/** Which of the commands that are configured at the base end badly on the whole work. */
function redCommandsOf(entry: Entry): readonly string[] {
  const project = projects[entry.project];
  // The text is ours.
  const { commands } = parse(project.files[".signalbox/config.yaml"] ?? "") as { commands: Record<string, string> };
  return Object.entries(commands).flatMap(([name, line]) =>
    inFolder(project, (dir) => {
      put(dir, leftBy(entry));
      return runIn(dir, "sh", ["-c", line]).passed ? [] : [name];
    }),
  );
}
