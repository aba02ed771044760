import { expect, it } from "vitest";
import type { Item } from "../choosing/roadmap.ts";
import { getResearchNeed } from "./research.ts";

const NONE = { patterns: [], constraints: [], risks: [], fileLocations: [], openDecisions: [] };
const PLANNED = { ...NONE, patterns: ["p"] };
const item = (complexity: Item["complexity"], planningResearch: Item["planningResearch"]): Item => ({
  id: 1,
  title: "Store notes",
  priority: 1,
  complexity,
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["saves", "loads"],
  verification: [],
  planningResearch,
});
const SEEN = { title: "Store notes", acceptanceCriteria: ["saves", "loads"] };

it("[R-37] runs on a medium item without planning research or with five empty lists", () => {
  expect(getResearchNeed(item("medium", null), undefined)).toEqual({ run: true });
  expect(getResearchNeed(item("medium", NONE), undefined)).toEqual({ run: true });
});

it("[R-37] never runs on a simple item", () => {
  expect(getResearchNeed(item("simple", null), undefined)).toEqual({ run: false });
  expect(getResearchNeed(item("simple", PLANNED), { ...SEEN, title: "Other" })).toEqual({ run: false });
});

it("[R-12] is skipped if planning did it, except on a complex item", () => {
  expect(getResearchNeed(item("medium", PLANNED), SEEN)).toEqual({ run: false });
  expect(getResearchNeed(item("complex", PLANNED), SEEN)).toEqual({ run: true });
});

it("[R-13] asks only for the criteria that changed since the planning research was first seen", () => {
  const seen = { title: "Store notes", acceptanceCriteria: ["saves", "loads from disk"] };
  expect(getResearchNeed(item("medium", PLANNED), seen)).toEqual({ run: true, gaps: ["loads"] });
  expect(getResearchNeed(item("complex", PLANNED), seen)).toEqual({ run: true, gaps: ["loads"] });
});

it("[R-13] asks for the title if only that changed, and for the remaining criteria if some were removed", () => {
  expect(getResearchNeed(item("medium", PLANNED), { ...SEEN, title: "Keep notes" })).toEqual({
    run: true,
    gaps: ["Store notes"],
  });
  const seen = { ...SEEN, acceptanceCriteria: ["saves", "loads", "prints"] };
  expect(getResearchNeed(item("medium", PLANNED), seen)).toEqual({ run: true, gaps: ["saves", "loads"] });
});

it("[R-13] ignores the order of the criteria", () => {
  const seen = { ...SEEN, acceptanceCriteria: ["loads", "saves"] };
  expect(getResearchNeed(item("medium", PLANNED), seen)).toEqual({ run: false });
});
