import type { Json } from "./json.ts";

type Measurement = {
  readonly passed: boolean;
  readonly actual: Json;
  readonly need: Json;
  /** Comparison of a ledger rule. */
  readonly compare?: string | undefined;
};

/**
 * Formats the need: `needs at least 3`. A rule without a known comparison may count in the other direction and only
 * reports whether it passed, so its number has no direction.
 */
export function formatNeed({ passed, actual, need, compare }: Measurement): string {
  if (need === null) return "";
  const said = typeof need === "string" ? need : JSON.stringify(need);
  if (compare !== undefined) return `needs ${compare} ${said}`;
  const numbers = typeof actual === "number" && typeof need === "number";
  return numbers && passed !== actual >= need ? `compared with ${said}` : `needs ${said}`;
}
