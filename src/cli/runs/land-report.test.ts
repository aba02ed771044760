import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";
import { formatCaveats, formatLandedPaths } from "./land-report.ts";
import { selectDocuments } from "./written-paths.ts";

const plans = Array.from({ length: 20 }, (_, at) => `plans/greet-phase-${at}-complete.md`);
const work = ["src/greet.ts", "test/greet.test.ts"];

test("work files come before process documents, and both are counted", async () => {
  const paths = [...plans, "NOTES.md", ...work].toSorted();
  const documents = await selectDocuments(paths, { pipeline: "phases", written: new Set(["NOTES.md"]) });
  const lines = formatLandedPaths(PLAIN, { paths, documents }).map((line) => line.trim());
  expect(lines.slice(0, 3)).toEqual([...work, "NOTES.md"]);
  expect(lines.slice(-2)).toEqual(["… and 11 more", "2 work files, 21 process documents"]);
});

test("documents are recognized below the folder that `documents:` names, also for a repository's own pipeline", async () => {
  const written = new Set(["reports/greet.md"]);
  const paths = ["docs/process/reports/greet.md", "src/reports.ts"];
  expect([...(await selectDocuments(paths, { pipeline: "mine", written }))]).toEqual(paths.slice(0, 1));
});

test("work without documents is listed unchanged", () => {
  expect(formatLandedPaths(PLAIN, { paths: work, documents: new Set() }).map((line) => line.trim())).toEqual(work);
});

test("land prints the confidence and each caveat on its own line", () => {
  // Nothing else of the end is read.
  const end = (confidence: string) => ({ type: "run.finished", confidence }) as RunView["end"];
  expect(formatCaveats(PLAIN, { end: end("medium"), caveats: ["no check has\nreported a test"] })).toEqual([
    "  confidence: medium",
    "  caveat: no check has reported a test",
  ]);
  expect(formatCaveats(PLAIN, { end: end("high"), caveats: [] })).toEqual([]);
});
