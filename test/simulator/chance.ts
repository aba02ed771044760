/** Seeded randomness. The same seed and label give the same draws, whatever else was drawn meanwhile. */
export type Chance = {
  /** Returns a number in [0, 1). */
  next(): number;
  odds(probability: number): boolean;
  /** Returns an integer, both ends included. */
  between(least: number, most: number): number;
  /** Draws between two positive numbers on a logarithmic scale, so small ones are as likely as large ones. */
  magnitude(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** Draws one of the names by its weight. */
  weighed<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Creates an independent stream. */
  of(label: string): Chance;
};

export function chanceOf(seed: string): Chance {
  const next = createGenerator(seed);
  const chance: Chance = {
    next,
    odds: (probability) => next() < probability,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    magnitude: (least, most) => Math.round(least * (most / least) ** next()),
    pick: (list) => {
      // The list is never empty, and the index is below its length.
      return list[Math.floor(next() * list.length)] as (typeof list)[number];
    },
    weighed: (weights) => {
      // The keys of a record of names are those names.
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return (entries.at(-1) as (typeof entries)[number])[0];
    },
    of: (label) => chanceOf(`${seed}/${label}`),
  };
  return chance;
}

/** FNV-1a over the seed's text, then mulberry32: small, fast, and sufficient to draw schedules. */
function createGenerator(seed: string): () => number {
  let state = 2_166_136_261;
  for (let at = 0; at < seed.length; at += 1) state = Math.imul(state ^ seed.charCodeAt(at), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
