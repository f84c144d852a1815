/** Negotiates the content coding of a response by Accept-Encoding. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { AVAILABLE_CODINGS, type ContentCoding } from './content-codings';
import { listHeader } from '../header-values';
import { parseWeightedList } from './weighted-list';

export interface AcceptedCodings {
  /** The preferred compression; null when none is accepted. */
  readonly coding: ContentCoding | null;
  /** Whether an uncompressed response is accepted as well. */
  readonly identity: boolean;
}

/** @throws ServiceError `not_acceptable` when not even an uncompressed response is accepted */
export function negotiateCoding(req: IncomingMessage): AcceptedCodings {
  const header = listHeader(req, 'accept-encoding');
  if (header === undefined) return { coding: null, identity: true };
  const weights = new Map(
    parseWeightedList(header).map(({ value, q }) => [value === 'x-gzip' ? 'gzip' : value, q] as const)
  );
  const others = weights.get('*');
  // Few clients that accept any coding (`*`) know zstd.
  const unnamed = AVAILABLE_CODINGS.filter((coding) => !weights.has(coding)).sort(newestLast);
  const named = AVAILABLE_CODINGS.filter((coding) => weights.has(coding));
  const ranked = [...named, ...unnamed]
    .map((coding) => ({ coding, q: weights.get(coding) ?? others ?? 0 }))
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q);
  const best = ranked[0];
  // `identity` is acceptable by default, with a lower weight than any coding named.
  const identityWeight = weights.get('identity') ?? (others === 0 ? 0 : 0.0005);
  if (!best && identityWeight === 0)
    throw new ServiceError('not_acceptable', 'None of the content codings named by Accept-Encoding is available.', {
      available: [...AVAILABLE_CODINGS, 'identity'],
    });
  return { coding: best && best.q >= identityWeight ? best.coding : null, identity: identityWeight > 0 };
}

function newestLast(a: ContentCoding, b: ContentCoding): number {
  return Number(a === 'zstd') - Number(b === 'zstd');
}
