/**
 * Which batch of which server brought a row. Two servers that are sent the same event in the same moment both find it missing and both
 * store it. Each looks again once its own row is stored, so that at least one sees both, and of two copies the one with the larger mark
 * goes, whoever sees them: no two servers ever take away both.
 */
import { randomInt } from 'node:crypto';
import { isKnown } from '../ingest/known-events';

/** One stored row. */
export interface StoredCopy {
  readonly id: string;
  /** `cityHash64` of the id: a number may be printed into a statement. */
  readonly hash: bigint;
  readonly micros: number;
  /** See `insertMark`; null: the table, or the row, is older than marks. */
  readonly mark: bigint | null;
}

const RANDOM_BITS = 21n;

/** Of a batch, in the order of arrival as the clocks of servers have it; its last bit is left for `markOf`. */
export function insertMark(nowMs: number): bigint {
  return ((BigInt(nowMs) << RANDOM_BITS) | BigInt(randomInt(2 ** Number(RANDOM_BITS)))) << 1n;
}

/** Of a row: what of the same id is the same event depends on whether it had a time of its own. */
export function markOf(batch: bigint, hasOwnTime: boolean): bigint {
  return hasOwnTime ? batch | 1n : batch;
}

/** Copies that are not to stay, each once, however often it was seen. One is the same event as another under the rule by which a batch is taken in, see `isKnown`. */
export function surplusOf(copies: readonly StoredCopy[]): StoredCopy[] {
  const byId = new Map<string, StoredCopy[]>();
  for (const copy of copies) {
    const same = byId.get(copy.id);
    if (same === undefined) byId.set(copy.id, [copy]);
    else if (!same.some(({ micros, mark }) => micros === copy.micros && mark === copy.mark)) same.push(copy);
  }
  const surplus: StoredCopy[] = [];
  for (const [id, same] of byId) {
    if (same.length === 1) continue;
    for (const copy of same) {
      const { micros, mark } = copy;
      if (mark === null) continue;
      const earlier = same.filter((other) => other.mark === null || other.mark < mark).map((other) => other.micros);
      const hasOwnTime = (mark & 1n) === 1n;
      if (isKnown({ id, micros, hasOwnTime }, new Map([[id, earlier]]))) surplus.push(copy);
    }
  }
  return surplus;
}
