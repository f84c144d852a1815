/**
 * Which batch of which server brought a row. Two servers that are sent the same event in the same moment both find it missing and both
 * store it. Each looks again once its own row is stored, so that at least one sees both, and of two copies the one with the larger mark
 * goes, whoever sees them: no two servers ever take away both.
 */
import { randomInt } from 'node:crypto';
import { KnownEvents } from '../ingest/known-events';

/** One stored row. */
export interface StoredCopy {
  readonly id: string;
  readonly tenant: string | null;
  /** `cityHash64` of the id and of the tenant: numbers may be printed into a statement. */
  readonly hash: bigint;
  readonly tenantHash: bigint;
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

/** Copies that are not to stay, each once, however often it was seen. One is the same event as another under the rule by which a batch is taken in, see `KnownEvents`. */
export function surplusOf(copies: readonly StoredCopy[]): StoredCopy[] {
  const byEvent = new Map<string, StoredCopy[]>();
  for (const copy of copies) {
    const key = `${copy.id}\0${copy.tenant ?? ''}`;
    const same = byEvent.get(key);
    if (same === undefined) byEvent.set(key, [copy]);
    else if (!same.some(({ micros, mark }) => micros === copy.micros && mark === copy.mark)) same.push(copy);
  }
  const surplus: StoredCopy[] = [];
  for (const same of byEvent.values()) {
    if (same.length === 1) continue;
    for (const copy of same) {
      const { mark } = copy;
      if (mark === null) continue;
      const earlier = new KnownEvents();
      for (const other of same) if (other.mark === null || other.mark < mark) earlier.add(other);
      if (earlier.has({ ...copy, hasOwnTime: (mark & 1n) === 1n })) surplus.push(copy);
    }
  }
  return surplus;
}
