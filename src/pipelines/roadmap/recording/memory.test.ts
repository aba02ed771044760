import { expect, it } from "vitest";
import type { Item } from "../choosing/roadmap.ts";
import { EMPTY, getMemoryPath, readMemory, withScopes } from "./memory.ts";

const PLANNED = { patterns: ["p"], constraints: [], risks: [], fileLocations: [], openDecisions: [] };
const item: Item = {
  id: 1,
  title: "Store notes",
  priority: 1,
  complexity: "medium",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["saves"],
  verification: [],
  planningResearch: PLANNED,
};

it("[R-13] keeps title and criteria from when the planning research was first seen", () => {
  const first = withScopes(EMPTY, [item]);
  expect(first.scopes).toEqual({
    "1": { planningResearch: PLANNED, title: "Store notes", acceptanceCriteria: ["saves"] },
  });
  expect(withScopes(first, [{ ...item, title: "Keep notes", acceptanceCriteria: ["keeps"] }])).toEqual(first);
});

it("[R-13] treats another planning research as first seen", () => {
  const first = withScopes(EMPTY, [item]);
  const other = { ...item, title: "Keep notes", planningResearch: { ...PLANNED, risks: ["r"] } };
  expect(withScopes(first, [other]).scopes["1"]?.title).toBe("Keep notes");
});

it("stores nothing for items without planning research", () => {
  expect(withScopes(EMPTY, [{ ...item, planningResearch: null }])).toEqual(EMPTY);
});

it("reads back what was written, and starts empty without a file", () => {
  const memory = withScopes({ ...EMPTY, adrs: { "2": "docs/adr/1.md" } }, [item]);
  expect(readMemory(JSON.stringify(memory))).toEqual({ ok: true, memory });
  expect(readMemory(undefined)).toEqual({ ok: true, memory: EMPTY });
});

it("refuses a file of another form, with field, expected and found", () => {
  expect(readMemory(JSON.stringify({ ...EMPTY, adrs: { "2": 3 } }))).toEqual({
    ok: false,
    errors: ["adrs.2: expected string, found 3"],
  });
  expect(readMemory("nonsense").ok).toBe(false);
});

it("has one file per roadmap", () => {
  expect(getMemoryPath("roadmap.json")).toBe(".signalbox/memory/roadmap.json");
  expect(getMemoryPath("plans/next.json")).toBe(".signalbox/memory/plans-next.json");
});
