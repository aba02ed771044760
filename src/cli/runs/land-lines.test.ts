import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";
import { doubtLines, landedLines } from "./land-lines.ts";
import { documentsAmong } from "./written-paths.ts";

const plans = Array.from({ length: 20 }, (_, at) => `plans/greet-phase-${at}-complete.md`);
const work = ["src/greet.ts", "test/greet.test.ts"];

test("files of the work come before documents of the process, and both are counted", async () => {
  const paths = [...plans, "NOTES.md", ...work].toSorted();
  const documents = await documentsAmong(paths, { pipeline: "phases", written: new Set(["NOTES.md"]) });
  const lines = landedLines(PLAIN, { paths, documents }).map((line) => line.trim());
  expect(lines.slice(0, 3)).toEqual([...work, "NOTES.md"]);
  expect(lines.slice(-2)).toEqual(["… and 11 more", "2 files of work, 21 documents of the process"]);
});

test("documents are known below the folder that `documents:` names, and of a pipeline of one's own", async () => {
  const written = new Set(["reports/greet.md"]);
  const paths = ["docs/process/reports/greet.md", "src/reports.ts"];
  expect([...(await documentsAmong(paths, { pipeline: "mine", written }))]).toEqual(paths.slice(0, 1));
});

test("work alone is listed as it is", () => {
  expect(landedLines(PLAIN, { paths: work, documents: new Set() }).map((line) => line.trim())).toEqual(work);
});

test("whoever lands reads how sure the end is and every caveat, a line each", () => {
  // Of an end nothing else is looked at.
  const end = (confidence: string) => ({ type: "run.finished", confidence }) as RunView["end"];
  expect(doubtLines(PLAIN, { end: end("medium"), caveats: ["no check has\nreported a test"] })).toEqual([
    "  confidence: medium",
    "  caveat: no check has reported a test",
  ]);
  expect(doubtLines(PLAIN, { end: end("high"), caveats: [] })).toEqual([]);
});
