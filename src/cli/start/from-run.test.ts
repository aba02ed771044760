import { expect, test } from "vitest";
import { noteSeveralArrivals } from "./from-run.ts";

const FIRST = { number: 1, index: 3, after: "Work" };
const SECOND = { number: 2, index: 9, after: "Review" };
const EARLIER = { run: "r1", phase: "Commit", records: [], input: null, base: { commit: "c", tree: "t" } };

test("a phase that the run reached twice is reported with the selected arrival and how to select the other one", () => {
  const [told] = noteSeveralArrivals({ ...EARLIER, arrival: SECOND, arrivals: [FIRST, SECOND] });
  expect(told).toMatchObject({
    says: "r1 reached Commit 2 times; this run continues from #2 (after Review), the last one",
    get: '--from "r1:Commit#N" selects another: #1 (after Work)',
  });
});

test("a phase that the run reached once is not reported", () => {
  expect(noteSeveralArrivals({ ...EARLIER, arrival: FIRST, arrivals: [FIRST] })).toEqual([]);
});
