/** Requests beyond these would wait for permits at the server. */
const MAX_REQUESTS = 4;

/**
 * Applies `work` to each item, a few at a time. The first failure ends it.
 * @returns results in the order of the items
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const workers = Array.from({ length: Math.min(MAX_REQUESTS, items.length) }, async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      try {
        results[at] = await work(items[at]!);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  });
  await Promise.all(workers);
  return results;
}
