import { expect, it } from "vitest";
import type { Item } from "../choosing/roadmap.ts";
import { type AdrSources, selectAdr } from "./adr.ts";

const item = (id: number, title: string, more: Partial<Item> = {}): Item => ({
  id,
  title,
  priority: 1,
  complexity: "complex",
  status: "done",
  dependencies: [],
  acceptanceCriteria: ["it works"],
  verification: [],
  planningResearch: null,
  ...more,
});
const SCAFFOLD = item(3, "Scaffold project from ADR", { status: "ready", dependencies: [1, "2"] });
const ITEMS = [item(1, "Something"), item(2, "Architect (design)"), item(4, "Architect (design)"), SCAFFOLD];
const known = (more: Partial<AdrSources> = {}): AdrSources => ({
  items: ITEMS,
  learnings: [],
  adrs: {},
  folder: "docs/adr",
  files: [],
  ...more,
});

it("[R-40] uses the ADR of the done design item among the dependencies", () => {
  const files = ["docs/adr/1.md", "docs/adr/2.md"];
  expect(selectAdr(SCAFFOLD, known({ files, adrs: { "2": "docs/adr/1.md", "4": "docs/adr/2.md" } }))).toEqual({
    adrPath: "docs/adr/1.md",
  });
});

it("[R-40] refuses if no design item is among the dependencies, or if it is not done", () => {
  const files = ["docs/adr/1.md"];
  expect(selectAdr({ ...SCAFFOLD, dependencies: [1] }, known({ files }))).toHaveProperty("refused");
  const open = ITEMS.map((each) => (each.id === 2 ? { ...each, status: "ready" as const } : each));
  expect(selectAdr(SCAFFOLD, known({ files, items: open }))).toHaveProperty("refused");
});

it("[R-40] refuses an ADR that is not in the tree", () => {
  expect(selectAdr(SCAFFOLD, known({ files: ["docs/adr/9.md"], adrs: { "2": "docs/adr/1.md" } }))).toEqual({
    refused: "the ADR of item 2, docs/adr/1.md, is not in the tree",
  });
});

it("[R-40] finds the ADR of a design from another clone: by its learnings, or because it is the only one", () => {
  const files = ["docs/adr/1.md", "docs/adr/2.md"];
  const learnings = [{ itemId: 2, learning: "see docs/adr/2.md" }];
  expect(selectAdr(SCAFFOLD, known({ files, learnings }))).toEqual({ adrPath: "docs/adr/2.md" });
  expect(selectAdr(SCAFFOLD, known({ files: ["docs/adr/1.md"] }))).toEqual({ adrPath: "docs/adr/1.md" });
  expect(selectAdr(SCAFFOLD, known({ files }))).toHaveProperty("refused", expect.stringContaining("docs/adr/2.md"));
});
