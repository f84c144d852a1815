/** Stores the slices of one body, a few at a time and in order, and adds up their results. */
import type { IngestRequest } from '#contract/events/ingest';
import { type IngestError, type IngestResult, MAX_REPORTED_ERRORS } from '#contract/queries/result';
import type { BodySlice } from './formats/slice-list';

/** Stores one slice. Resolves when it is on disk. */
export type StoreSlice = (request: IngestRequest, bytes: Buffer) => Promise<IngestResult>;

/** Maximum concurrent slices: keeps the store busy, and a large body does not delay the bodies of others. */
const SLICES_AT_ONCE = 3;

/**
 * @param body request fields that all slices share
 * @param maxErrors of the sum; a slice describes `MAX_REPORTED_ERRORS`, which are all of its entries
 * @throws the first failure, after the slices in flight have settled
 */
export async function storeSlices(
  slices: readonly BodySlice[],
  body: Omit<IngestRequest, 'form' | 'identity'> & { readonly base: string },
  store: StoreSlice,
  maxErrors = MAX_REPORTED_ERRORS
): Promise<IngestResult> {
  const { base, ...request } = body;
  const results: IngestResult[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (failures.length === 0 && next < slices.length) {
      const index = next++;
      const { form, bytes, firstIndex } = slices[index]!;
      try {
        results[index] = await store({ ...request, form, identity: { base, firstIndex } }, bytes);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(SLICES_AT_ONCE, slices.length) }, work));
  if (failures.length > 0) throw failures[0];
  return addUp(results, maxErrors);
}

/** Slices start in order, so the first errors of the sum are the first errors of the body. */
function addUp(results: readonly IngestResult[], maxErrors: number): IngestResult {
  const sum = { accepted: 0, duplicates: 0, rejected: 0 };
  const errors: IngestError[] = [];
  for (const result of results) {
    sum.accepted += result.accepted;
    sum.duplicates += result.duplicates;
    sum.rejected += result.rejected;
    if (errors.length < maxErrors) errors.push(...result.errors);
  }
  return { ...sum, errors };
}

/**
 * @param more errors of events that were rejected before anything was stored @returns the first errors of both, by
 * index
 */
export function withRejected(result: IngestResult, more: readonly IngestError[], maxErrors: number): IngestResult {
  const errors = [...result.errors, ...more].sort((a, b) => a.index - b.index).slice(0, maxErrors);
  return { ...result, rejected: result.rejected + more.length, errors };
}
