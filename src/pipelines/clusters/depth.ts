import type { Depth } from "../depth.ts";

/** Rules that a short run does not apply, for its report. */
const SKIPPED_RULES = [
  "C-06: one researcher looks instead of four, and joins nothing",
  "C-10: the design is not reviewed",
  "C-16, C-24: nobody looks back on the run",
  "C-43: the tables alone join reports, without an aggregator",
] as const;

export const listSkippedRules = (depth: Depth): readonly string[] => (depth === "short" ? SKIPPED_RULES : []);
