import type { Item, PlanningResearch } from "../choosing/roadmap.ts";

/** Title and criteria of an item when its planning research was first seen. */
export type ItemScope = Pick<Item, "title" | "acceptanceCriteria">;

export type ResearchNeed =
  | { readonly run: false }
  | {
      readonly run: true /** The only questions to research; all if absent. */;
      readonly gaps?: readonly string[];
    };

/**
 * Complex items always run Research. Medium items run it if there is no planning research or if the item changed since.
 * Simple items never do.
 * @rule R-12 (policy) A populated `planningResearch` replaces Research, except on complex items.
 */
export function getResearchNeed(item: Item, firstSeen: ItemScope | undefined): ResearchNeed {
  if (item.complexity === "simple") return { run: false };
  if (!isPopulated(item.planningResearch)) return { run: true };
  const gaps = firstSeen ? listGaps(item, firstSeen) : [];
  if (gaps.length > 0) return { run: true, gaps };
  return { run: item.complexity === "complex" };
}

/**
 * @rule R-37 (policy) `planningResearch` counts if one of its lists is not empty; it then replaces the findings of a
 *   skipped Research.
 */
export function isPopulated(research: PlanningResearch | null): research is PlanningResearch {
  return research !== null && Object.values(research).some((list) => list.length > 0);
}

/**
 * Returns the changed criteria; if only the title changed, the title; if criteria were removed, the remaining ones.
 * @rule R-13 (policy) If title or criteria changed since the planning research was first seen, Research runs with the
 *   change as its only question.
 */
function listGaps({ title, acceptanceCriteria }: ItemScope, firstSeen: ItemScope): readonly string[] {
  const changed = acceptanceCriteria.filter((each) => !firstSeen.acceptanceCriteria.includes(each));
  if (changed.length > 0) return changed;
  if (title !== firstSeen.title) return [title];
  const lost = firstSeen.acceptanceCriteria.some((each) => !acceptanceCriteria.includes(each));
  return lost ? acceptanceCriteria : [];
}
