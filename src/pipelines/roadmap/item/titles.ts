import type { Item } from "../choosing/roadmap.ts";

/** Titles of the two greenfield items, which have their own route. */
const DESIGN = "Architect (design)";
const SCAFFOLD = "Scaffold project from ADR";

/** @rule R-41 (policy) The greenfield titles match only the whole trimmed title. */
export const isDesign = ({ title }: Pick<Item, "title">): boolean => title.trim() === DESIGN;
export const isScaffold = ({ title }: Pick<Item, "title">): boolean => title.trim() === SCAFFOLD;
