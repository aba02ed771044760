import { replacesPrograms, splicedJson } from "./json-parts.ts";
import { looseRustDiffers, splicedRust } from "./rust-parts.ts";
import { splicedSections } from "./section-parts.ts";

/** A file that is code and exam at once, with its text on either side; empty where that side has no such file. */
export type Sides = {
  readonly path: string;
  readonly code: string;
  readonly exam: string;
  /** Lines by which the project's commands are started. */
  readonly lines?: readonly string[];
};

/**
 * The text with the code of one side and the exam of the other; undefined where they cannot be told apart. Empty where
 * neither has anything to say.
 */
export function spliced(sides: Sides): string | undefined {
  const { path, code, exam } = sides;
  if (code === exam) return code;
  if (path.endsWith(".rs")) return splicedRust(sides);
  if (path.endsWith(".json")) return splicedJson(sides);
  return /\.(?:toml|cfg)$/.test(path) ? splicedSections(sides) : undefined;
}

/** Does the code bring something along that can change the exam from within? Then the exam is not the old one alone. */
export function undermines(sides: Sides): boolean {
  if (sides.path.endsWith(".rs")) return looseRustDiffers(sides);
  return /(?:^|\/)package\.json$/.test(sides.path) && replacesPrograms(sides);
}
