import { replacedModules } from "./go-modules.ts";
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
  /** Also what may be the exam, because nobody knows who reads it, where it is not as it was. */
  readonly wide?: boolean;
  /** Also settings of linters and type checkers. */
  readonly checks?: boolean;
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

type Change = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly lines: readonly string[];
};

/** The new code with all of the old text that tests may judge by; undefined where that is no more than the old exam. */
export function widelySpliced({ path, before, after, lines }: Change): string | undefined {
  if (before === "" || before === after || path.endsWith(".rs")) return undefined;
  if (MODULES.test(path)) return replacedModules(before, after);
  const sides = { path, code: after, exam: before, lines };
  const wide = spliced({ ...sides, wide: true });
  return wide === spliced(sides) ? undefined : wide;
}

/** Not taken apart, but for where it takes modules from. */
export function hasModules(path: string): boolean {
  return MODULES.test(path);
}

const MODULES = /(?:^|\/)go\.(?:mod|work)$/;

/** Does the code bring something along that can change the exam from within? Then the exam is not the old one alone. */
export function undermines(sides: Sides): boolean {
  if (sides.path.endsWith(".rs")) return looseRustDiffers(sides);
  return /(?:^|\/)package\.json$/.test(sides.path) && replacesPrograms(sides);
}
