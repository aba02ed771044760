import type { Depth } from "../depth.ts";
import { FOCUSES } from "./contracts.ts";

/** Rules that a short run does not apply, for its report. */
const SKIPPED_RULES = [
  "L-02: nobody weighs the request before the work",
  "L-04: one researcher looks instead of four",
  "L-07, L-08, L-10: the design is not reviewed",
  "L-20: nobody looks back on the run",
] as const;

/** Appends the skipped rules to the run's final reason. */
export const appendSkippedRules = (words: string, depth: Depth): string =>
  depth === "short" ? `${words}; left out on request: ${SKIPPED_RULES.join("; ")}` : words;

export const listSkippedRules = (depth: Depth): readonly string[] => (depth === "short" ? SKIPPED_RULES : []);

export const selectFocuses = (depth: Depth): readonly (typeof FOCUSES)[number][] =>
  depth === "short" ? ["impact"] : FOCUSES;
