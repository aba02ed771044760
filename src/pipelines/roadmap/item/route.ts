import type { Item } from "../choosing/roadmap.ts";
import { isDesign, isScaffold } from "./titles.ts";

export type ItemStep =
  | "Research"
  | "Architect (design)"
  | "Implement"
  | "Architect (validation)"
  | "Testing"
  | "Review";

/** Steps by complexity. On a medium item, Research is skipped if planning did it. */
const BY_COMPLEXITY = {
  /** @rule R-05 (declaration) A `simple` item runs Implement → Testing → Review. */
  simple: ["Implement", "Testing", "Review"],
  /** @rule R-06 (declaration) A `medium` item runs Research if needed → Architect → Implement → Testing → Review. */
  medium: ["Research", "Architect (design)", "Implement", "Testing", "Review"],
  /**
   * @rule R-07 (declaration) A `complex` item runs Research → Architect → Implement → Architect validation → Testing →
   *   Review.
   */
  complex: ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"],
} as const satisfies Record<Item["complexity"], readonly ItemStep[]>;

/** @rule R-10 (declaration) An `Architect (design)` item runs the Architect alone and is done when its ADR exists. */
const DESIGN_ALONE: readonly ItemStep[] = ["Architect (design)"];
/**
 * @rule R-11 (declaration) A `Scaffold project from ADR` item runs Implement with the ADR path, then Testing and
 *   Review, whatever its complexity.
 */
const FROM_ADR: readonly ItemStep[] = ["Implement", "Testing", "Review"];

export function getRoute(item: Pick<Item, "title" | "complexity">): readonly ItemStep[] {
  if (isDesign(item)) return DESIGN_ALONE;
  return isScaffold(item) ? FROM_ADR : BY_COMPLEXITY[item.complexity];
}

/** The agent of a step, as in `blockedBy`. */
export const getStepAgent = (step: ItemStep): string => step.split(" ")[0] ?? step;

/** The phase of the pipeline for each step. */
export const PHASES = {
  Research: "Research",
  "Architect (design)": "Architect",
  Implement: "Implement",
  "Architect (validation)": "Architect validation",
  Testing: "Testing",
  Review: "Review",
} as const satisfies Record<ItemStep, string>;
