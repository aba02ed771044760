import { readFileSync } from "node:fs";
import { isMiss } from "./table.ts";
import type { Result } from "./verdict.ts";

// Prints the table of docs/reference/evidence.md from results that run.ts has written.
//   node test/lies/outcomes.ts results.json

const COLUMNS = ["refused", "asked", "committed with a caveat", "committed"] as const;
type Outcome = (typeof COLUMNS)[number];

const file = process.argv[2] ?? "";
// run.ts wrote the file.
const results = (JSON.parse(readFileSync(file, "utf8")) as Result[]).filter(
  ({ verdict }) => verdict !== "not reached" && verdict !== "timeout",
);

function readOutcome(result: Result): Outcome {
  const { verdict, confidence, caveats } = result;
  if (verdict === "asked") return "asked";
  if (verdict === "refused" || verdict === "disarmed") return "refused";
  const isPlain = caveats.length === 0 && confidence !== "medium" && confidence !== "low";
  return isPlain ? "committed" : "committed with a caveat";
}

function formatRow(name: string, some: readonly Result[]): string {
  const counts = COLUMNS.map((column) => some.filter((result) => readOutcome(result) === column).length);
  return `| ${[name, some.length, ...counts].join(" | ")} |`;
}

function printTable(title: string, some: readonly Result[]): void {
  const classes = Map.groupBy(some, ({ category }) => category.replace("twin: ", ""));
  console.log(`| ${[title, "played", ...COLUMNS].join(" | ")} |`);
  console.log(`|---|${"---|".repeat(COLUMNS.length + 1)}`);
  for (const [name, each] of [...classes].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(formatRow(name, each));
  console.log(`${formatRow("**all**", some)}\n`);
}

printTable(
  "attack class",
  results.filter(({ kind }) => kind === "lie"),
);
printTable(
  "honest change",
  results.filter(({ kind }) => kind === "honest"),
);
const broken = results.filter((each) => each.kind === "lie" && isMiss(each) && each.broken.length > 0);
console.log(
  `Committed although tests of the base fail on the sources: ${broken.map(({ id }) => id).join(", ") || "none"}.`,
);
