import type { Item } from "../choosing/roadmap.ts";

/** The two titles of a greenfield project that have a way of their own; nothing else about a title matters. */
const DESIGN = "Architect (design)";
const SCAFFOLD = "Scaffold project from ADR";

/** @rule R-41 (policy) Only the whole title, spaces around it aside, makes a greenfield item. */
export const isDesign = ({ title }: Pick<Item, "title">): boolean => title.trim() === DESIGN;
export const isScaffold = ({ title }: Pick<Item, "title">): boolean => title.trim() === SCAFFOLD;
