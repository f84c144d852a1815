/** Store log events of one source. The answer comes after the commit. */
import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/source';
import type { IngestResult } from '#contract/result';
import type { Metrics } from '../../metrics/metrics';
import { nearestName } from '../../nearest-name';
import { formatIgnored } from '../bind-parameters';
import { callerGoneSignal } from '../caller-gone';
import { singleHeader } from '../header-values';
import { negotiateFormat } from '../negotiate-format';
import { queryOf, pickOnce } from '../query-string';
import { readBody } from '../read-body';
import type { KeyedHandler } from '../router';
import { sendJson } from '../send-body';
import { parseMediaType } from '../weighted-list';

export const ingestLogs: KeyedHandler = async ({ ctx, req, res, principal }) => {
  negotiateFormat(req, ['json']);
  ensureMediaType(req);
  const entries = queryOf(req);
  const source = findSource(ctx.sources.all, pickOnce(entries, ['source']).get('source'));
  const ignored = entries.map(([name]) => name).filter((name) => name !== 'source');
  if (ignored.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored([...new Set(ignored)]));

  const { maxBodyBytes, maxInflatedBytes, timeoutMs } = ctx.config.ingest;
  const leave = await ctx.ingestSlots.enter({
    owner: principal.tokenId,
    lane: 'saved',
    waitMs: timeoutMs,
    signal: callerGoneSignal(res),
  });
  try {
    const body = await readBody(req, res, { maxBytes: maxBodyBytes, maxInflatedBytes });
    if (body.length === 0) throw new ServiceError('body_invalid', 'The request body is empty.');
    ensureUtf8(body);
    // A batch is stored or not whether or not its sender still waits: it is not aborted.
    const result = await ctx.engine.call('ingest', { source, nowMicros: ctx.clock.nowMicros() }, { body, timeoutMs });
    countEntries(ctx.metrics, source, body.length, result);
    await sendJson(req, res, { result });
  } finally {
    leave();
  }
};

function countEntries(metrics: Metrics, source: string, bytes: number, result: IngestResult): void {
  metrics.ingestBytes.inc(bytes);
  metrics.ingestEntries.inc({ source, outcome: 'accepted' }, result.accepted - result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'duplicate' }, result.duplicates);
  metrics.ingestEntries.inc({ source, outcome: 'rejected' }, result.rejected);
}

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

function findSource(sources: readonly Source[], name: string | undefined): string {
  if (name === undefined || name === '')
    throw new ServiceError('parameter_missing', 'The parameter "source" is required.', { missing: ['source'] });
  const source = sources.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  if (source) return source.name;
  const meant = nearestName(
    name,
    sources.flatMap((candidate) => [candidate.name, ...candidate.aliases])
  );
  throw new ServiceError(
    'source_not_found',
    'There is no source with this name.',
    meant === undefined ? {} : { hint: `did you mean "${meant}"?` }
  );
}

/** Looked at as bytes: a batch is large, and is read as text by the store only. */
function ensureUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new ServiceError('encoding_invalid', 'The request body is not valid UTF-8.');
  if (body.includes(0)) throw new ServiceError('encoding_invalid', 'The request body holds a NUL character.');
}
