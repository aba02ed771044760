import type { Item } from "../choosing/roadmap.ts";
import { isDesign, isScaffold } from "./titles.ts";

export type Step = "Research" | "Architect (design)" | "Implement" | "Architect (validation)" | "Testing" | "Review";

/** Who works on an item, in this order. On a medium item Research is left out where planning has done it. */
const BY_COMPLEXITY = {
  /** @rule R-05 (declaration) A simple item is built, tested and reviewed. */
  simple: ["Implement", "Testing", "Review"],
  /** @rule R-06 (declaration) A medium item is researched, where that is needed, and designed before it is built. */
  medium: ["Research", "Architect (design)", "Implement", "Testing", "Review"],
  /**
   * @rule R-07 (declaration) A complex item is always researched, and the architect compares what was built with the
   *   design before it is tested.
   */
  complex: ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"],
} as const satisfies Record<Item["complexity"], readonly Step[]>;

/**
 * @rule R-10 (declaration) An item called Architect (design) is the architect's alone and done when its ADR is there.
 */
const DESIGN_ALONE: readonly Step[] = ["Architect (design)"];
/**
 * @rule R-11 (declaration) An item called Scaffold project from ADR is built from that ADR, tested and reviewed,
 *   however complex it is.
 */
const FROM_ADR: readonly Step[] = ["Implement", "Testing", "Review"];

export function routeOf(item: Pick<Item, "title" | "complexity">): readonly Step[] {
  if (isDesign(item)) return DESIGN_ALONE;
  return isScaffold(item) ? FROM_ADR : BY_COMPLEXITY[item.complexity];
}

/** The agent of a step, as the roadmap's `blockedBy` names it. */
export const agentOf = (step: Step): string => step.split(" ")[0] ?? step;

/** The heading under which a step is taken. */
export const PHASES = {
  Research: "Research",
  "Architect (design)": "Architect",
  Implement: "Implement",
  "Architect (validation)": "Architect validation",
  Testing: "Testing",
  Review: "Review",
} as const satisfies Record<Step, string>;
