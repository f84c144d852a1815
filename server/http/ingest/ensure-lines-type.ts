/** Media types of newline-delimited JSON, of which shippers use many, or none. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { singleHeader } from '../parsing/header-values';
import { parseMediaType } from '../parsing/negotiation/weighted-list';

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/json-lines',
  'application/vnd.elasticsearch+x-ndjson',
  'application/vnd.elasticsearch+json',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'text/plain',
];

/** @throws ServiceError `media_type_unsupported` */
export function ensureLinesType(req: IncomingMessage): void {
  const header = singleHeader(req, 'Content-Type');
  if (header === undefined) return;
  const { value, parameters } = parseMediaType(header);
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (MEDIA_TYPES.includes(value) && (charset === 'utf-8' || charset === 'utf8')) return;
  throw new ServiceError('media_type_unsupported', 'The body must be JSON or newline-delimited JSON, in UTF-8.', {
    available: ['application/json', 'application/x-ndjson'],
    ...(value === 'application/x-www-form-urlencoded'
      ? { hint: 'with curl, add -H "Content-Type: application/json"' }
      : {}),
  });
}
