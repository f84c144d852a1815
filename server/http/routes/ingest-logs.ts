/** Store log events of one source. The answer comes after the commit. */
import type { Request } from 'express';
import { ServiceError } from '#contract/errors';
import { singleHeader } from '../header-values';
import { ensureUtf8, inIngestPlace, readIngestBody, storeEntries } from '../ingest-batch';
import { readSource } from '../ingest-source';
import { negotiateFormat } from '../negotiate-format';
import type { KeyedHandler } from '../router';
import { sendJson } from '../send-body';
import { parseMediaType } from '../weighted-list';

export const ingestLogs: KeyedHandler = async (call) => {
  const { ctx, req, res } = call;
  negotiateFormat(req, ['json']);
  ensureMediaType(req);
  const source = readSource(call);
  if (source === null)
    throw new ServiceError('parameter_missing', 'The parameter "source" is required.', { missing: ['source'] });
  const result = await inIngestPlace(call, async () => {
    const body = await readIngestBody(call);
    if (body.length === 0) throw new ServiceError('body_invalid', 'The request body is empty.');
    if (ensureUtf8(body).includes(0))
      throw new ServiceError('encoding_invalid', 'The request body holds a NUL character.');
    return storeEntries(ctx, { source: source.name, nowMicros: ctx.clock.nowMicros() }, body);
  });
  await sendJson(req, res, { result });
};

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/json-lines',
  'text/plain',
];

/** Shippers name newline-delimited JSON in many ways, or not at all. */
function ensureMediaType(req: Request): void {
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
