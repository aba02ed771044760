import type { Item } from "./roadmap.ts";
import { isDesign, isScaffold } from "./titles.ts";

export type Step = "Research" | "Architect (design)" | "Implement" | "Architect (validation)" | "Testing" | "Review";

/** Who works on an item, in this order. On a medium item Research is left out where planning has done it. */
const BY_COMPLEXITY = {
  simple: ["Implement", "Testing", "Review"],
  medium: ["Research", "Architect (design)", "Implement", "Testing", "Review"],
  complex: ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"],
} as const satisfies Record<Item["complexity"], readonly Step[]>;

const DESIGN_ALONE: readonly Step[] = ["Architect (design)"];
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
