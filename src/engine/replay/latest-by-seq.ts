/** Stores for each name the value with the highest number, in whatever order they arrive. */
export type LatestBySeq<T> = {
  set(name: string, at: { readonly seq: number; readonly value: T }): void;
  get(name: string): T | undefined;
  /** Pairs by name, in the order in which the values were created. */
  entries(): readonly (readonly [string, T])[];
};

export function createLatestBySeq<T>(): LatestBySeq<T> {
  const known = new Map<string, { readonly seq: number; readonly value: T }>();
  return {
    set(name, at) {
      if ((known.get(name)?.seq ?? 0) <= at.seq) known.set(name, at);
    },
    get: (name) => known.get(name)?.value,
    entries: () => [...known].sort(([, a], [, b]) => a.seq - b.seq).map(([name, { value }]) => [name, value] as const),
  };
}
