/** What a statement reads of the parts of its sources, so that a store can estimate how many rows that is. */
import type { CatalogPart } from '../../catalog/catalog';
import type { PartRead } from '../../output/compiled-query';

/** Times in microseconds since 1970, both inclusive, infinite where there is no limit. */
interface Limits {
  readonly fromMicros: number;
  readonly toMicros: number;
}

const NO_LIMITS: Limits = { fromMicros: Number.NEGATIVE_INFINITY, toMicros: Number.POSITIVE_INFINITY };

/** The read of a part within limits that all apply. */
export function partRead(part: CatalogPart, ...limits: readonly (Limits | null)[]): PartRead {
  const all = limits.map((one) => one ?? NO_LIMITS);
  return {
    part,
    fromMicros: Math.max(part.fromMicros, ...all.map(({ fromMicros }) => fromMicros)),
    toMicros: Math.min(part.toMicros, ...all.map(({ toMicros }) => toMicros + 1)),
  };
}
