import type { Finding } from "../../authoring/finding.ts";
import { matchesAny } from "./glob.ts";

export type ScopeInput = {
  /** Paths that differ between the starting tree and the resulting tree of the work. */
  readonly changed: readonly string[];
  /** Globs that were declared before the work. */
  readonly declared: readonly string[];
};

/** Built-in check `scope`: reports changes outside the declared globs. */
export function checkScope({ changed, declared }: ScopeInput): readonly Finding[] {
  return [...new Set(changed)]
    .filter((path) => !matchesAny(path, declared))
    .map((path) => ({
      severity: "major",
      message: `${path} was changed, but is not one of the declared files (${formatDeclared(declared)})`,
      files: [path],
      by: "scope",
    }));
}

const SHOWN = 5;

function formatDeclared(declared: readonly string[]): string {
  if (declared.length === 0) return "none were declared";
  const rest = declared.length - SHOWN;
  return `${declared.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
