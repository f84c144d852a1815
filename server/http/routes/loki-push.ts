/** Stores log lines sent in the JSON format of Loki's push API. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { LOKI_NAMES, readLokiPush } from '../../formats/loki/read-push';
import { singleHeader } from '../parsing/header-values';
import { describeRefused, type EventFormat, ingestEvents } from '../ingest/ingest-events';
import { readIngestParameters } from '../ingest/ingest-parameters';
import type { KeyedHandler } from '../router';
import { sendEmpty } from '../response/send-body';
import { parseMediaType } from '../parsing/weighted-list';

const FORMAT: EventFormat = { names: LOKI_NAMES, isText: true, read: readLokiPush };

/**
 * Responds like Loki: 204 when all lines are stored; 400 when some are rejected and the rest is stored, so that senders
 * do not retry.
 */
export const lokiPush: KeyedHandler = async (call) => {
  ensureJson(call.req);
  const outcome = await ingestEvents(call, FORMAT, readIngestParameters(call));
  const { accepted, rejected, errors } = outcome;
  if (rejected > 0)
    throw new ServiceError('body_invalid', describeRefused(outcome), { reason: errors[0]?.code, accepted, rejected });
  sendEmpty(call.res, 204);
};

function ensureJson(req: IncomingMessage): void {
  const header = singleHeader(req, 'Content-Type');
  if (header === undefined) return;
  const { value, parameters } = parseMediaType(header);
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (value === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return;
  throw new ServiceError('media_type_unsupported', "The body must be the JSON form of Loki's push, in UTF-8.", {
    available: ['application/json'],
    ...(value === 'application/x-protobuf' ? { hint: PROTOBUF_HINT } : {}),
  });
}

const PROTOBUF_HINT =
  'protobuf with snappy is not taken: Fluent Bit sends JSON, Vector does with compression "gzip" or "none"; from Alloy send OTLP to /v1/logs';
