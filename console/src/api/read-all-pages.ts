import type { ApiClient } from './client';
import type { Page } from './shapes';

/**
 * All entries of a list that the service gives page by page.
 * @param onProgress called after each page with the number of entries so far
 * @throws Problem
 */
export async function readAllPages<T>(
  api: ApiClient,
  path: string,
  signal: AbortSignal,
  onProgress?: (count: number) => void
): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const search: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await api.json(`${path}?limit=100${search}`, { signal })) as Page<T>;
    all.push(...page.result);
    cursor = page.next_cursor;
    if (!signal.aborted) onProgress?.(all.length);
  } while (cursor !== null);
  return all;
}
