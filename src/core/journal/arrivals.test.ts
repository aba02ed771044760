import { expect, test } from "vitest";
import { listArrivals } from "./arrivals.ts";
import type { JournalRecord } from "./record.ts";

/** Only the fields that matter here. */
const steps = (...phases: readonly string[]) =>
  phases.map((phase, at) => ({ type: "step.started", key: `${phase}/${at}`, phase })) as unknown as JournalRecord[];

test("every coming back to a phase is an arrival, and staying in it is none", () => {
  const records = steps("Work", "Work", "Commit", "Work", "Commit", "Commit");
  expect(listArrivals(records, "Commit")).toEqual([
    { number: 1, index: 2, after: "Work" },
    { number: 2, index: 4, after: "Work" },
  ]);
  expect(listArrivals(records, "Work").map(({ after }) => after)).toEqual([undefined, "Commit"]);
  expect(listArrivals(records, "Review")).toEqual([]);
});
