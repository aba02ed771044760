import { describe, expect, it } from "vitest";
import { createItem } from "./item.fixture.ts";
import { markItem, parseRoadmap, type Roadmap } from "./roadmap.ts";

const NO_RESEARCH = { patterns: [], constraints: [], risks: [], fileLocations: [], openDecisions: [] };

function read(value: unknown): Roadmap {
  const result = parseRoadmap(JSON.stringify(value, null, 2));
  if (!result.ok) throw new Error(result.errors.join());
  return result.roadmap;
}
const errors = (value: unknown): readonly string[] => {
  const result = parseRoadmap(JSON.stringify(value));
  return result.ok ? [] : result.errors;
};

describe("reading", () => {
  it.each([
    ["id", { id: null }, 'item at position 1 "Item 1": id: expected string or number, found null'],
    ["title", { title: "" }, 'item 1 "": title: expected at least 1 characters, found ""'],
    ["priority", { priority: "high" }, 'item 1 "Item 1": priority: expected number, found "high"'],
    [
      "complexity",
      { complexity: "hard" },
      'item 1 "Item 1": complexity: expected simple | medium | complex, found "hard"',
    ],
    [
      "status",
      { status: "open" },
      'item 1 "Item 1": status: expected ready | in_progress | blocked | done, found "open"',
    ],
    ["dependencies", { dependencies: null }, 'item 1 "Item 1": dependencies: expected array, found null'],
    [
      "acceptanceCriteria",
      { acceptanceCriteria: [] },
      'item 1 "Item 1": acceptanceCriteria: expected at least 1 items, found a list of 0 items',
    ],
    ["verification", { verification: [1] }, 'item 1 "Item 1": verification[0]: expected string, found 1'],
    [
      "planningResearch",
      { planningResearch: { ...NO_RESEARCH, risks: null } },
      'item 1 "Item 1": planningResearch.risks: expected array, found null',
    ],
  ])("[R-28] [R-01] names item, field, expected and found for a wrong %s", (_field, more, told) => {
    expect(errors({ items: [createItem(1, more)] })).toEqual([told]);
  });

  it.each(Object.keys(createItem(1)))("[R-28] names a missing field %s", (field) => {
    const found = errors([{ ...createItem(1), [field]: undefined }]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${field}: expected `);
    expect(found[0]).toMatch(/found nothing$/);
  });

  it("[R-28] lists all errors at once: of items, dependencies and learnings", () => {
    const found = errors({
      items: [
        createItem(1, { priority: "high", dependencies: [9] }),
        createItem(2, { acceptanceCriteria: [] }),
        createItem("2"),
      ],
      learnings: [{ itemId: 1, learning: 3 }],
    });
    expect(found.map((error) => error.split(": expected")[0])).toEqual([
      'item 1 "Item 1": priority',
      'item 2 "Item 2": acceptanceCriteria',
      'item 2 "Item 2": id',
      'item 1 "Item 1": dependencies',
      "learnings: [0].learning",
    ]);
  });

  it("[R-03] names an unknown dependency and cycles of one or several items, but not items that only depend on them", () => {
    expect(errors([createItem(1, { dependencies: [9] })])).toEqual([
      'item 1 "Item 1": dependencies: expected ids of items, found 9, which no item has',
    ]);
    const ring = [
      createItem(1, { dependencies: ["2"] }),
      createItem(2, { dependencies: [3] }),
      createItem(3, { dependencies: [1] }),
    ];
    expect(errors([...ring, createItem(4, { dependencies: [1] }), createItem(5)])).toEqual([
      'item 1 "Item 1": dependencies: expected no cycle, found 1 → 2 → 3 → 1',
    ]);
    expect(errors([createItem(1, { dependencies: [1] })])).toEqual([
      'item 1 "Item 1": dependencies: expected no cycle, found 1 → 1',
    ]);
  });

  it("[R-03] finds each of several cycles, also through a shared item", () => {
    const two = [
      createItem(1, { dependencies: [2] }),
      createItem(2, { dependencies: [1] }),
      createItem(3, { dependencies: [3] }),
    ];
    expect(errors(two).map((error) => error.split("found ")[1])).toEqual(["1 → 2 → 1", "3 → 3"]);
    const shared = [
      createItem(1, { dependencies: [2, 3] }),
      createItem(2, { dependencies: [1] }),
      createItem(3, { dependencies: [1] }),
    ];
    expect(errors(shared)).toHaveLength(1);
  });

  it("accepts a bare list, both kinds of ids, unknown fields and a byte-order mark", () => {
    expect(errors([createItem(1), createItem("1.2", { owner: "eve" })])).toEqual([]);
    expect(parseRoadmap(`\uFEFF${JSON.stringify([createItem(1)])}`).ok).toBe(true);
  });

  it("[R-28] states the allowed values for an item that is no object and for a missing planningResearch", () => {
    expect(errors([createItem(1), "text"])).toEqual(['item at position 2: expected object, found "text"']);
    expect(errors([createItem(1, { planningResearch: undefined })])).toEqual([
      'item 1 "Item 1": planningResearch: expected null or object, found nothing',
    ]);
  });

  it("[R-01] reports a file that is not JSON or contains no list", () => {
    expect(errors("hello")).toEqual(['items: expected a list, or an object with the list `items`, found "hello"']);
    expect(parseRoadmap("{")).toEqual({ ok: false, errors: [expect.stringMatching(/^expected JSON, found: .+/)] });
    expect(errors({ things: [] })).toEqual([expect.stringMatching(/^items: expected a list, .*found nothing$/)]);
    expect(errors("no")).toHaveLength(1);
  });
});

describe("marking", () => {
  it("[R-27] changes the status of one item in the text and nothing else", () => {
    const before = read({ owner: "eve", items: [createItem(1, { zeal: [1] }), createItem(2)], more: { a: 1 } });
    const after = markItem(before, { id: 1, status: "in_progress" });
    expect(after.text).toBe(before.text.replace('"ready"', '"in_progress"'));
    expect(after.items.map(({ status }) => status)).toEqual(["in_progress", "ready"]);
  });

  const BLOCK = { blockedReason: "r", blockedBy: "Testing", blockedAt: "Testing", blockedCategory: "test_failure" };

  it("[R-29] the next in_progress removes the blocked fields", () => {
    const fresh = read([createItem(1)]);
    const blocked = markItem(fresh, { id: 1, status: "blocked", block: BLOCK });
    expect(JSON.parse(blocked.text)).toEqual([createItem(1, { status: "blocked", ...BLOCK })]);
    const again = markItem(blocked, { id: 1, status: "in_progress" });
    expect(again.text).toBe(fresh.text.replace('"ready"', '"in_progress"'));
  });

  it("[R-22] appends learnings in the same write, after the existing ones", () => {
    const before = read({ items: [createItem(1)], learnings: [{ itemId: 0, learning: "old" }] });
    const done = markItem(before, { id: 1, status: "done", learnings: ["use x", "use y"] });
    expect(JSON.parse(done.text)).toEqual({
      items: [createItem(1, { status: "done" })],
      learnings: [
        { itemId: 0, learning: "old" },
        { itemId: 1, learning: "use x" },
        { itemId: 1, learning: "use y" },
      ],
    });
  });

  it("keeps a bare list bare", () => {
    const done = markItem(read([createItem(1)]), { id: "1", status: "done", learnings: ["use x"] });
    expect(JSON.parse(done.text)).toEqual([createItem(1, { status: "done" })]);
  });
});
