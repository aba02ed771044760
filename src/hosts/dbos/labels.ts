/** What of the needs no label answers. A need that ends in a number is answered by a larger one: memory:8 by memory:16. */
export function missingLabels(needs: readonly string[], labels: readonly string[]): readonly string[] {
  return needs.filter((need) => !labels.some((label) => answers(label, need)));
}

function answers(label: string, need: string): boolean {
  if (label === need) return true;
  const [offered, wanted] = [amountOf(label), amountOf(need)];
  return offered !== undefined && wanted !== undefined && offered.of === wanted.of && offered.count >= wanted.count;
}

/** Of more digits than a number here has it is a word like any other. */
function amountOf(label: string): { readonly of: string; readonly count: number } | undefined {
  const [, of, count] = /^([^:]+):([0-9]{1,15})$/.exec(label) ?? [];
  return of === undefined ? undefined : { of, count: Number(count) };
}

/** What only this process offers: the work that it has begun and not told of lies there. */
export const workerLabel = (process: string): string => `worker:${process}`;

const AGENT = "agent:";

/** The driver whose cap counts for whatever needs these. */
export function driverOf(needs: readonly string[]): string | null {
  return needs.find((need) => need.startsWith(AGENT))?.slice(AGENT.length) ?? null;
}
