/**
 * Counts the engine processes that the work of one token ended: after two within a minute, that kind of its work is
 * refused for a minute.
 */
import { ServiceError } from '#contract/errors';

/**
 * `text`: ad-hoc queries and checks of text. `batch`: ingestion. Saved queries are reviewed and shared, so they are not
 * counted.
 */
export type WorkKind = 'text' | 'batch';

export interface ProcessEnds {
  /**
   * @param owner id of the token, or an internal name for background work. @returns ends within the window, including
   * this one
   */
  add(owner: string, kind: WorkKind): number;
  /** @throws ServiceError `rate_limited` with `reason: engine_ended` and `details.retry_after_seconds` */
  ensureAllowed(owner: string, kind: WorkKind): void;
}

const MAX_ENDS = 2;
/** The owner whose last end is the oldest is evicted first. */
const MAX_OWNERS = 10_000;

/**
 * @param windowMs window in which ends are counted, and how long the work is refused after the last one
 * @param now reads a monotonic clock in milliseconds
 */
export function createProcessEnds(windowMs: number, now: () => number): ProcessEnds {
  const endsByKey = new Map<string, readonly number[]>();
  const recent = (key: string): readonly number[] =>
    (endsByKey.get(key) ?? []).filter((endedAt) => now() - endedAt < windowMs);

  return {
    add(owner, kind) {
      const key = keyOf(owner, kind);
      const ends = [...recent(key), now()].slice(-MAX_ENDS);
      endsByKey.delete(key);
      endsByKey.set(key, ends);
      const [oldest] = endsByKey.keys();
      if (endsByKey.size > MAX_OWNERS && oldest !== undefined) endsByKey.delete(oldest);
      return ends.length;
    },
    ensureAllowed(owner, kind) {
      const key = keyOf(owner, kind);
      const last = endsByKey.get(key)?.at(-1);
      if (last === undefined) return;
      const remainingMs = last + windowMs - now();
      // All counted ends were within one window when they were added.
      if (remainingMs > 0 && endsByKey.get(key)?.length === MAX_ENDS)
        throw refused(kind, Math.ceil(remainingMs / 1000));
      if (remainingMs <= 0) endsByKey.delete(key);
    },
  };
}

function refused(kind: WorkKind, retryAfterSeconds: number): ServiceError {
  const [subject, hint] =
    kind === 'text'
      ? ['Ad-hoc queries of this access token', 'Simplify the query: fewer rows, columns or joins, or shorter texts.']
      : ['Batches of this access token', 'Send smaller batches. Look at the batch that was sent last.'];
  return new ServiceError(
    'rate_limited',
    `${subject} ended the query engine ${MAX_ENDS} times. They are refused for ${retryAfterSeconds} s.`,
    { reason: 'engine_ended', hint, retry_after_seconds: retryAfterSeconds }
  );
}

function keyOf(owner: string, kind: WorkKind): string {
  return `${kind} ${owner}`;
}
