/** Stores events in the form of a service that sends them, such as a log drain. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { meantHint } from '#contract/nearest-name';
import { MAX_REPORTED_ERRORS } from '#contract/queries/result';
import { SENDER_FORMAT_NAMES, type SenderFormat } from '#contract/routes/sender-formats';
import { type ConvertedFormat, readSender } from '../../../ingest/formats/senders/read-sender';
import { readSyslog } from '../../../ingest/formats/senders/syslog';
import type { SenderHeaders } from '../../../ingest/formats/senders/sender-event';
import { ensureLinesType } from '../../ingest/ensure-lines-type';
import type { TimeContext } from '../../../ingest/syslog/parse/times';
import { ingestAnswer } from '../../ingest/ingest-answer';
import { type EventFormat, ingestEvents } from '../../ingest/ingest-events';
import { readIngestParameters, sourceMissing } from '../../ingest/ingest-parameters';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { singleHeader } from '../../parsing/header-values';
import { sendJson } from '../../response/send-body';
import type { KeyedCall, KeyedHandler } from '../../router';
import { ingestLogs } from './ingest-logs';

export const ingestAs: KeyedHandler = async (call) => {
  const format = readFormat(call.path.format);
  if (format === 'vector') return ingestLogs(call);
  await ingestConverted(call, format);
};

function readFormat(name: string): SenderFormat {
  const format = SENDER_FORMAT_NAMES.find((known) => known === name);
  if (format !== undefined) return format;
  throw new ServiceError('route_not_found', 'There is no such form of events.', {
    available: SENDER_FORMAT_NAMES,
    ...meantHint(name, SENDER_FORMAT_NAMES),
  });
}

async function ingestConverted(call: KeyedCall, name: Exclude<SenderFormat, 'vector'>): Promise<void> {
  const { req, res } = call;
  negotiateFormat(req, ['json']);
  const format = name === 'logplex' || name === 'syslogs' ? syslogFormat(call) : jsonFormat(req, name);
  const parameters = readIngestParameters(call);
  if (parameters.source === null) throw sourceMissing(call);
  const outcome = await ingestEvents(call, format, parameters);
  const errors = outcome.errors.map(({ place, code, message }) => ({ index: place, code, message }));
  await sendJson(req, res, ingestAnswer({ ...outcome, errors: errors.slice(0, MAX_REPORTED_ERRORS) }));
}

function jsonFormat(req: IncomingMessage, name: ConvertedFormat): EventFormat {
  // Logpush sends invalid media types.
  if (name !== 'cloudflare') ensureLinesType(req);
  const headers = senderHeaders(req);
  return { names: NAMES, isText: true, read: (body, maxEvents) => readSender(name, headers, body, maxEvents) };
}

/** Format of syslog messages, of any media type. A frame that Logplex sends again has the id of the first. */
function syslogFormat({ ctx, req }: KeyedCall): EventFormat {
  const context = { nowMs: ctx.clock.now().getTime(), zone: UTC };
  const frame = singleHeader(req, 'Logplex-Frame-Id') ?? '';
  return {
    names: NAMES,
    isText: false,
    delivery: /^[\x21-\x7e]{1,255}$/.test(frame) ? `logplex ${frame}` : null,
    read: (body, maxEvents) => readSyslog(body, maxEvents, context),
  };
}

/** Zone of times that name none. */
const UTC: TimeContext['zone'] = { toUtcMs: (localMs) => localMs };

/** The events name no source: the request does. */
const NAMES: EventFormat['names'] = { source: 'source', service: 'source' };

/** Headers that may belong to an event; never one with a token. */
function senderHeaders(req: IncomingMessage): SenderHeaders {
  const entries = Object.entries(req.headersDistinct).filter(([name]) => /^(ce|x-github)-/.test(name));
  return new Map(entries.map(([name, values]) => [name, values!.join(', ')]));
}
