import { expect, it } from "vitest";
import { createItem } from "./item.fixture.ts";
import type { Item } from "./roadmap.ts";
import { compareIds, formatCandidate, selectItem } from "./selection.ts";

const chosen = (...items: Item[]) => {
  const next = selectItem({ items });
  return next.kind === "item" ? next.item.id : next.kind;
};

it("[R-02] selects the lowest priority first", () => {
  expect(chosen(createItem(1, { priority: 2 }), createItem(2, { priority: 1 }))).toBe(2);
});

it("[R-02] selects the lowest id of one priority, in natural order", () => {
  expect(chosen(createItem(10), createItem(2))).toBe(2);
  expect(["1.10", "1.2", "b", "a2", "a10", 3].sort(compareIds)).toEqual(["1.2", "1.10", 3, "a2", "a10", "b"]);
});

it("[R-02] skips an item whose dependency is not done, whatever its priority", () => {
  expect(chosen(createItem(1, { dependencies: [2] }), createItem(2, { priority: 5 }))).toBe(2);
  expect(chosen(createItem(1, { dependencies: ["2"] }), createItem(2, { status: "done" }))).toBe(1);
});

it("[R-02] selects no blocked or done item", () => {
  expect(
    chosen(createItem(1, { status: "blocked" }), createItem(2, { status: "done" }), createItem(3, { priority: 9 })),
  ).toBe(3);
});

it("[R-44] offers an item again that a run left in progress", () => {
  expect(chosen(createItem(1, { status: "in_progress" }), createItem(2))).toBe(1);
});

it("[R-44] skips an item of a live run and names the run", () => {
  const items = [createItem(1, { status: "in_progress" }), createItem(2, { dependencies: [1] })];
  expect(selectItem({ items }, new Map([["1", "r-7"]]))).toEqual({
    kind: "stalled",
    reasons: ["1 Item 1: in_progress in run r-7", "2 Item 2: waits for 1"],
  });
});

it("[R-23] distinguishes complete from stalled and gives the reasons", () => {
  expect(chosen(createItem(1, { status: "done" }))).toBe("complete");
  expect(chosen()).toBe("complete");
  expect(selectItem({ items: [createItem(1, { status: "blocked" }), createItem(2, { dependencies: [1] })] })).toEqual({
    kind: "stalled",
    reasons: ["1 Item 1: blocked", "2 Item 2: waits for 1"],
  });
});

it("[R-24] names the next candidate, COMPLETE or STALLED", () => {
  const candidate = (status: Item["status"]) => formatCandidate({ items: [createItem(2, { status })] }, new Map());
  expect(candidate("ready")).toBe("2 Item 2");
  expect(candidate("done")).toBe("COMPLETE");
  expect(candidate("blocked")).toBe("STALLED");
});
