/** Stores the slices of one body, a few at a time and in order, and adds up what became of them. */
import type { IngestRequest } from '#contract/ingest';
import { type IngestError, type IngestResult, MAX_REPORTED_ERRORS } from '#contract/result';
import type { BodySlice } from '../event-formats/split-body';

/** Resolves when the slice is on disk. */
export type StoreSlice = (request: IngestRequest, bytes: Buffer) => Promise<IngestResult>;

/** Keeps the store busy without a large body getting ahead of the bodies of others. */
const SLICES_AT_ONCE = 3;

/**
 * @param body what all slices have in common
 * @throws the first failure, after the slices on their way have settled
 */
export async function storeSlices(
  slices: readonly BodySlice[],
  body: Omit<IngestRequest, 'form' | 'identity'> & { readonly base: string },
  store: StoreSlice
): Promise<IngestResult> {
  const { base, ...request } = body;
  const results: IngestResult[] = [];
  let failure: { readonly error: unknown } | null = null;
  let next = 0;
  const work = async (): Promise<void> => {
    while (failure === null && next < slices.length) {
      const index = next++;
      const { form, bytes, firstIndex } = slices[index]!;
      try {
        results[index] = await store({ ...request, form, identity: { base, firstIndex } }, bytes);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(SLICES_AT_ONCE, slices.length) }, work));
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  return results.reduce(addResults, NOTHING);
}

/** Slices come in order, so the first errors of the body are the first of all. */
const hasAllErrors = ({ errors }: IngestResult): boolean => errors.length >= MAX_REPORTED_ERRORS;

const NOTHING: IngestResult = { accepted: 0, duplicates: 0, rejected: 0, errors: [] };

function addResults(sum: IngestResult, result: IngestResult): IngestResult {
  return {
    accepted: sum.accepted + result.accepted,
    duplicates: sum.duplicates + result.duplicates,
    rejected: sum.rejected + result.rejected,
    errors: hasAllErrors(sum) ? sum.errors : [...sum.errors, ...result.errors],
  };
}

/** @param more rejected before anything was stored @returns with the first errors of both, by index */
export function withRejected(result: IngestResult, more: readonly IngestError[], maxErrors: number): IngestResult {
  const errors = [...result.errors, ...more].sort((a, b) => a.index - b.index).slice(0, maxErrors);
  return { ...result, rejected: result.rejected + more.length, errors };
}
