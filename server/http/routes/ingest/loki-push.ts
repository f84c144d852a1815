/** Stores log lines sent by Loki's push API, in protobuf or JSON. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { LOKI_NAMES } from '../../../ingest/formats/loki/push-entry';
import { readLokiProtobuf } from '../../../ingest/formats/loki/read-protobuf';
import { readLokiPush } from '../../../ingest/formats/loki/read-push';
import { singleHeader } from '../../parsing/header-values';
import { describeRefused, type EventFormat, ingestEvents } from '../../ingest/ingest-events';
import { readIngestParameters } from '../../ingest/ingest-parameters';
import type { KeyedHandler } from '../../router';
import { sendEmpty } from '../../response/send-body';
import { parseMediaType } from '../../parsing/negotiation/weighted-list';

const JSON_FORMAT: EventFormat = { names: LOKI_NAMES, isText: true, read: readLokiPush };
const PROTOBUF_FORMAT: EventFormat = { names: LOKI_NAMES, isText: false, isSnappy: true, read: readLokiProtobuf };

/**
 * Responds like Loki: 204 when all lines are stored; 400 when some are rejected and the rest is stored, so that senders
 * do not retry.
 */
export const lokiPush: KeyedHandler = async (call) => {
  const outcome = await ingestEvents(call, formatOf(call.req), readIngestParameters(call));
  const { accepted, rejected, errors } = outcome;
  if (rejected > 0)
    throw new ServiceError('body_invalid', describeRefused(outcome), { reason: errors[0]?.code, accepted, rejected });
  sendEmpty(call.res, 204);
};

function formatOf(req: IncomingMessage): EventFormat {
  const header = singleHeader(req, 'Content-Type');
  if (header === undefined) return JSON_FORMAT;
  const { value, parameters } = parseMediaType(header);
  if (value === 'application/x-protobuf') return PROTOBUF_FORMAT;
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (value === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return JSON_FORMAT;
  throw new ServiceError(
    'media_type_unsupported',
    "The body must be Loki's push in protobuf with snappy, or in JSON in UTF-8.",
    { available: ['application/x-protobuf', 'application/json'] }
  );
}
