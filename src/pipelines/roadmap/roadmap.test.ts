import { describe, expect, it } from "vitest";
import { compareIds, mark, type Roadmap, readRoadmap, render, select } from "./roadmap.ts";

const item = (id: string | number, more: object = {}) => ({
  id,
  title: `Item ${id}`,
  priority: 1,
  complexity: "simple",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["it works"],
  verification: [],
  planningResearch: null,
  ...more,
});

function read(...items: object[]): Roadmap {
  const result = readRoadmap(JSON.stringify({ items }));
  if (!result.ok) throw new Error(result.errors.join());
  return result.roadmap;
}
const errors = (value: unknown): readonly string[] => {
  const result = readRoadmap(JSON.stringify(value));
  return result.ok ? [] : result.errors;
};
const chosen = (roadmap: Roadmap) => {
  const next = select(roadmap);
  return next.kind === "item" ? next.item.id : next.kind;
};

describe("reading", () => {
  it("[R-28] lists every error at once with item and field", () => {
    const found = errors({ items: [item(1, { priority: "high" }), item(2, { acceptanceCriteria: [] })] });
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^item 1 "Item 1": priority: /);
    expect(found[1]).toMatch(/^item 2 "Item 2": acceptanceCriteria: /);
  });

  it("[R-03] names unknown and cyclic dependencies", () => {
    expect(errors([item(1, { dependencies: [9] })])).toEqual(["item 1: dependencies: no item has the id 9"]);
    expect(errors([item(1, { dependencies: [2] }), item(2, { dependencies: [1] })])).toEqual([
      "dependencies: the items 1, 2 wait for each other",
    ]);
  });

  it("[R-28] refuses an id that is used twice", () => {
    expect(errors([item(1), item("1")])).toEqual(['item 1 "Item 1": id: used more than once']);
  });

  it("says so when the file is not JSON", () => {
    expect(readRoadmap("{")).toEqual({ ok: false, errors: ["the file is not JSON"] });
  });
});

describe("selecting", () => {
  it("[R-02] takes the lowest priority, then the lowest id", () => {
    expect(chosen(read(item(10), item(2), item(1, { priority: 2 })))).toBe(2);
    expect(["1.10", "1.2", "b", "a2", "a10"].sort(compareIds)).toEqual(["1.2", "1.10", "a2", "a10", "b"]);
  });

  it("[R-02] skips an item whose dependency is not done", () => {
    expect(chosen(read(item(1, { dependencies: [2] }), item(2, { priority: 5 })))).toBe(2);
  });

  it("[R-23] tells complete from stalled and gives the reasons", () => {
    expect(chosen(read(item(1, { status: "done" })))).toBe("complete");
    const next = select(read(item(1, { status: "blocked" }), item(2, { dependencies: [1] })));
    expect(next).toEqual({ kind: "stalled", reasons: ["1 Item 1: blocked", "2 Item 2: waits for 1"] });
  });
});

describe("marking", () => {
  it("[R-27] changes the status of one item and leaves unknown keys, order and shape alone", () => {
    const before = read(item(1, { owner: "eve" }), item(2, { zeal: [1] }));
    const after = JSON.parse(render(mark(before, { id: 2, status: "in_progress" })));
    expect(after).toEqual({ items: [item(1, { owner: "eve" }), item(2, { zeal: [1], status: "in_progress" })] });
    expect(Object.keys(after.items[1])).toEqual(Object.keys(item(2, { zeal: 1 })));
  });

  it("[R-29] removes the blocked fields when the item starts again", () => {
    const block = { blockedReason: "r", blockedBy: "Testing", blockedAt: "Testing", blockedCategory: "test_failure" };
    const blocked = mark(read(item(1)), { id: 1, status: "blocked", block });
    expect(JSON.parse(render(blocked)).items[0]).toMatchObject(block);
    expect(JSON.parse(render(mark(blocked, { id: 1, status: "in_progress" }))).items[0]).toEqual(
      item(1, { status: "in_progress" }),
    );
  });

  it("[R-22] appends learnings in the same write, and keeps a bare array bare", () => {
    const done = mark(read(item(1)), { id: 1, status: "done", learnings: ["use x"] });
    expect(JSON.parse(render(done)).learnings).toEqual([{ itemId: 1, learning: "use x" }]);
    const bare = readRoadmap(JSON.stringify([item(1)]));
    if (!bare.ok) throw new Error("it is valid");
    const marked = mark(bare.roadmap, { id: 1, status: "done", learnings: ["use x"] });
    expect(JSON.parse(render(marked))).toEqual([item(1, { status: "done" })]);
    expect(marked.learnings).toEqual([{ itemId: 1, learning: "use x" }]);
  });
});
