import { expect, test } from "vitest";
import { arrivedOften } from "./from-run.ts";

const FIRST = { number: 1, index: 3, after: "Work" };
const SECOND = { number: 2, index: 9, after: "Review" };
const EARLIER = { run: "r1", phase: "Commit", records: [], input: null, base: { commit: "c", tree: "t" } };

test("a phase that the run came to twice is said with the time that is taken and how the other is named", () => {
  const [told] = arrivedOften({ ...EARLIER, arrival: SECOND, arrivals: [FIRST, SECOND] });
  expect(told).toMatchObject({
    says: "r1 came to Commit 2 times; this run goes on from #2 (after Review), the last one",
    get: '--from "r1:Commit#N" takes another: #1 (after Work)',
  });
});

test("a phase that the run came to once needs no word", () => {
  expect(arrivedOften({ ...EARLIER, arrival: FIRST, arrivals: [FIRST] })).toEqual([]);
});
