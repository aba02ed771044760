import type { Item, PlanningResearch } from "./roadmap.ts";

/** What an item asked for when its planning research was first seen. */
export type Scope = Pick<Item, "title" | "acceptanceCriteria">;

export type ResearchNeed =
  | { readonly run: false }
  | {
      readonly run: true /** Only these are to be looked into; without them everything. */;
      readonly gaps?: readonly string[];
    };

/**
 * Complex items always research; medium ones when planning left nothing, or when the item asks for something else by
 * now; simple ones never.
 */
export function researchNeed(item: Item, seen: Scope | undefined): ResearchNeed {
  if (item.complexity === "simple") return { run: false };
  if (!isPopulated(item.planningResearch)) return { run: true };
  const gaps = seen ? gapsOf(item, seen) : [];
  if (gaps.length > 0) return { run: true, gaps };
  return { run: item.complexity === "complex" };
}

export function isPopulated(research: PlanningResearch | null): research is PlanningResearch {
  return research !== null && Object.values(research).some((list) => list.length > 0);
}

/** The changed criteria; where only the title or the loss of a criterion changed the scope, what is left of it. */
function gapsOf({ title, acceptanceCriteria }: Scope, seen: Scope): readonly string[] {
  const changed = acceptanceCriteria.filter((each) => !seen.acceptanceCriteria.includes(each));
  if (changed.length > 0) return changed;
  if (title !== seen.title) return [title];
  const lost = seen.acceptanceCriteria.some((each) => !acceptanceCriteria.includes(each));
  return lost ? acceptanceCriteria : [];
}
