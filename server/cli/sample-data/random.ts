/** Seeded random number generator (sfc32): equal seeds give equal sample logs on every machine. Not for secrets. */

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /**
   * A positive number with a skewed distribution and this median: most values near it, a few far above, like durations
   * and sizes.
   */
  skewed(median: number): number;
}

export function createRandom(seed: number): Random {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;

  function next(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  }
  for (let round = 0; round < 12; round++) next();

  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    skewed: (median) => median * Math.exp((next() + next() + next() - 1.5) * 1.4),
  };
}

export type Picker<T> = (random: Random) => T;

const SLOTS = 1024;

/** Picks items in proportion to their weights in constant time, from a table of slots. */
export function weighted<T>(entries: readonly (readonly [item: T, weight: number])[]): Picker<T> {
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  const slots: T[] = [];
  let reached = 0;
  for (const [item, weight] of entries) {
    reached += weight;
    while (slots.length < Math.round((reached / total) * SLOTS)) slots.push(item);
  }
  return (random) => slots[random.below(slots.length)] as T;
}
