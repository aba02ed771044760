import { restoreReplaceLines } from "./go-modules.ts";
import { combineJsonParts, mayReplacePrograms } from "./json-parts.ts";
import { combineRustParts, isLooseRustChanged } from "./rust-parts.ts";
import { combineSections } from "./section-parts.ts";

/** File that is both code and exam, with its text on each side; empty if that side has no such file. */
export type SpliceSides = {
  readonly path: string;
  readonly code: string;
  readonly exam: string;
  /** Lines that start the project's commands. */
  readonly lines?: readonly string[];
  /** Also uses the exam's side for changed parts with an unknown reader, which may be exam. */
  readonly wide?: boolean;
  /** Also settings of linters and type checkers. */
  readonly checks?: boolean;
};

/**
 * Combines the code of one side with the exam of the other. Returns undefined if they cannot be separated, and an empty
 * text if neither side contributes.
 */
export function combineParts(sides: SpliceSides): string | undefined {
  const { path, code, exam } = sides;
  if (code === exam) return code;
  if (path.endsWith(".rs")) return combineRustParts(sides);
  if (path.endsWith(".json")) return combineJsonParts(sides);
  return /\.(?:toml|cfg)$/.test(path) ? combineSections(sides) : undefined;
}

type SpliceChange = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly lines: readonly string[];
};

/** Returns the new code with all old text that tests may depend on; undefined if that equals the old exam. */
export function combineWithOldTexts({ path, before, after, lines }: SpliceChange): string | undefined {
  if (before === "" || before === after || path.endsWith(".rs")) return undefined;
  if (MODULES.test(path)) return restoreReplaceLines(before, after);
  const sides = { path, code: after, exam: before, lines };
  const wide = combineParts({ ...sides, wide: true });
  return wide === combineParts(sides) ? undefined : wide;
}

/** Returns whether the file is not spliced except for the sources of its modules. */
export function isModuleSource(path: string): boolean {
  return MODULES.test(path);
}

const MODULES = /(?:^|\/)go\.(?:mod|work)$/;

/**
 * Returns whether the code contains something that can alter the exam from inside. The exam is then not only the old
 * one.
 */
export function isUndermining(sides: SpliceSides): boolean {
  if (sides.path.endsWith(".rs")) return isLooseRustChanged(sides);
  return /(?:^|\/)package\.json$/.test(sides.path) && mayReplacePrograms(sides);
}
