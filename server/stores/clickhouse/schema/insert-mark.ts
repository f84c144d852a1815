/**
 * Marks of the insert that stored a row. Two servers that receive the same event at the same time both find it
 * missing and both store it. Each looks again after its insert, so at least one sees both copies. Every server deletes
 * the copy with the larger mark, so two servers never delete both.
 */
import { randomInt } from 'node:crypto';
import { KnownEvents } from '../../ingest/event/known-events';

/** One stored row. */
export interface StoredCopy {
  readonly id: string;
  readonly tenant: string | null;
  /** `cityHash64` of the id and of the tenant: as numbers they can be printed into a statement. */
  readonly hash: bigint;
  readonly tenantHash: bigint;
  readonly micros: number;
  /** See `insertMark`; null: the table, or the row, is older than marks. */
  readonly mark: bigint | null;
}

const RANDOM_BITS = 21n;

/** Mark of a batch, in order of arrival by the servers' clocks; the last bit is reserved for `markOf`. */
export function insertMark(nowMs: number): bigint {
  return ((BigInt(nowMs) << RANDOM_BITS) | BigInt(randomInt(2 ** Number(RANDOM_BITS)))) << 1n;
}

/** Mark of a row: whether it had its own timestamp decides which rows with its id are the same event. */
export function markOf(batch: bigint, hasOwnTime: boolean): bigint {
  return hasOwnTime ? batch | 1n : batch;
}

/** Copies to delete, each listed once. Two copies are the same event by the rule of ingestion, see `KnownEvents`. */
export function surplusOf(copies: readonly StoredCopy[]): StoredCopy[] {
  const byEvent = new Map<string, StoredCopy[]>();
  for (const copy of copies) {
    const key = `${copy.id}\0${copy.tenant ?? ''}`;
    const same = byEvent.get(key);
    if (same === undefined) byEvent.set(key, [copy]);
    else if (!same.some(({ micros, mark }) => micros === copy.micros && mark === copy.mark)) same.push(copy);
  }
  return [...byEvent.values()].flatMap((same) => (same.length === 1 ? [] : same.filter((copy) => isLater(copy, same))));
}

/** Whether one of these copies is the same event with an earlier mark, or with none. */
function isLater(copy: StoredCopy, copies: readonly StoredCopy[]): boolean {
  const { mark } = copy;
  if (mark === null) return false;
  const earlier = new KnownEvents();
  for (const other of copies) if (other.mark === null || other.mark < mark) earlier.add(other);
  return earlier.has({ ...copy, hasOwnTime: (mark & 1n) === 1n });
}
