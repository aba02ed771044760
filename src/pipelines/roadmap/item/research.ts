import type { Item, PlanningResearch } from "../choosing/roadmap.ts";

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
 * @rule R-12 (policy) What planning has found out is not researched again, except for complex items.
 */
export function researchNeed(item: Item, seen: Scope | undefined): ResearchNeed {
  if (item.complexity === "simple") return { run: false };
  if (!isPopulated(item.planningResearch)) return { run: true };
  const gaps = seen ? gapsOf(item, seen) : [];
  if (gaps.length > 0) return { run: true, gaps };
  return { run: item.complexity === "complex" };
}

/**
 * @rule R-37 (policy) Planning research counts when one of its lists has something in it; then it stands in for what
 *   was not researched.
 */
export function isPopulated(research: PlanningResearch | null): research is PlanningResearch {
  return research !== null && Object.values(research).some((list) => list.length > 0);
}

/**
 * The changed criteria; where only the title or the loss of a criterion changed the scope, what is left of it.
 * @rule R-13 (policy) Where title or criteria changed since the planning research was first seen, only the change is
 *   researched.
 */
function gapsOf({ title, acceptanceCriteria }: Scope, seen: Scope): readonly string[] {
  const changed = acceptanceCriteria.filter((each) => !seen.acceptanceCriteria.includes(each));
  if (changed.length > 0) return changed;
  if (title !== seen.title) return [title];
  const lost = seen.acceptanceCriteria.some((each) => !acceptanceCriteria.includes(each));
  return lost ? acceptanceCriteria : [];
}
