import type { Finding } from "../../authoring/finding.ts";
import { matchesAny } from "./glob.ts";

export type ScopeQuestion = {
  /** Paths that differ between the tree the work started from and the one it left. */
  readonly changed: readonly string[];
  /** Globs of what was declared beforehand. */
  readonly declared: readonly string[];
};

/** The engine's own check `scope`: what changed lies within what was declared. */
export function scopeFindings({ changed, declared }: ScopeQuestion): readonly Finding[] {
  return [...new Set(changed)]
    .filter((path) => !matchesAny(path, declared))
    .map((path) => ({
      severity: "major",
      message: `${path} was changed, but lies outside the declared files (${shown(declared)})`,
      files: [path],
      by: "scope",
    }));
}

const SHOWN = 5;

function shown(declared: readonly string[]): string {
  if (declared.length === 0) return "none were declared";
  const rest = declared.length - SHOWN;
  return `${declared.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
