import type { Item } from "./roadmap.ts";

/** A ready item. Overrides may be invalid. */
export const createItem = <More extends object = object>(id: number | string, more: More = {} as More) => ({
  ...READY,
  id,
  title: `Item ${id}`,
  ...more,
});

const READY: Omit<Item, "id" | "title"> = {
  priority: 1,
  complexity: "simple",
  status: "ready",
  dependencies: [],
  acceptanceCriteria: ["it works"],
  verification: [],
  planningResearch: null,
};
