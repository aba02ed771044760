/**
 * Returns the needs that no label satisfies. A need that ends in a number is satisfied by a larger one: memory:16
 * satisfies memory:8.
 */
export function listMissingLabels(needs: readonly string[], labels: readonly string[]): readonly string[] {
  return needs.filter((need) => !labels.some((label) => matchesNeed(label, need)));
}

function matchesNeed(label: string, need: string): boolean {
  if (label === need) return true;
  const [offered, wanted] = [parseAmount(label), parseAmount(need)];
  return offered !== undefined && wanted !== undefined && offered.of === wanted.of && offered.count >= wanted.count;
}

/** A number with more digits than JavaScript represents exactly is treated as plain text. */
function parseAmount(label: string): { readonly of: string; readonly count: number } | undefined {
  const [, of, count] = /^([^:]+):([0-9]{1,15})$/.exec(label) ?? [];
  return of === undefined ? undefined : { of, count: Number(count) };
}

/** A label that only this process has. It routes unfinished work back to the process that stores it. */
export const formatWorkerLabel = (process: string): string => `worker:${process}`;

const AGENT = "agent:";

/** Returns the driver whose limit applies to work with these needs. */
export function findNeededDriver(needs: readonly string[]): string | null {
  return needs.find((need) => need.startsWith(AGENT))?.slice(AGENT.length) ?? null;
}
