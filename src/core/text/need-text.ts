import type { Json } from "./json.ts";

type Measurement = {
  readonly passed: boolean;
  readonly actual: Json;
  readonly need: Json;
  /** How a rule over the ledger compares. */
  readonly compare?: string | undefined;
};

/**
 * `needs at least 3`. A rule of a pipeline's own may count the other way round, and says only whether it passed: beside
 * such a word the number is told without a direction.
 */
export function needText({ passed, actual, need, compare }: Measurement): string {
  if (need === null) return "";
  const said = typeof need === "string" ? need : JSON.stringify(need);
  if (compare !== undefined) return `needs ${compare} ${said}`;
  const numbers = typeof actual === "number" && typeof need === "number";
  return numbers && passed !== actual >= need ? `held against ${said}` : `needs ${said}`;
}
