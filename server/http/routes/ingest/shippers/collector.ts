/** Stores events sent to Splunk's HTTP Event Collector. */
import { ServiceError } from '#contract/errors';
import { MAX_REPORTED_ERRORS } from '#contract/queries/result';
import { readReadiness } from '../../../../app/lifecycle/readiness';
import { COLLECTOR_NAMES, NAMING_KEYS, readCollectorEvents } from '../../../../ingest/formats/splunk/read-collector';
import { readLines } from '../../../../ingest/formats/splunk/read-lines';
import { COLLECTOR_ANSWERS } from '../../../ingest/collector-answer';
import { describeRefused, type EventFormat, storeEvents } from '../../../ingest/ingest-events';
import { readForeignParameters } from '../../../ingest/ingest-parameters';
import type { KeyedCall, KeyedHandler, OpenHandler } from '../../../router';
import { sendJson } from '../../../response/send-body';

/** Parameters that may name the source; `source` first, as on all routes. */
const KEYS = ['source', ...NAMING_KEYS.filter((key) => key !== 'source')];

export const collectEvents: KeyedHandler = (call) => {
  const names = new Set(call.ctx.sources.all.flatMap(({ name, aliases }) => [name, ...aliases]));
  const isSource = (name: string): boolean => names.has(name);
  return collect(call, (body, maxEvents) => readCollectorEvents(body, maxEvents, isSource));
};

export const collectLines: KeyedHandler = (call) => collect(call, readLines);

/** Responds like Loki's push: 400 when some events are refused and the rest is stored, so that senders do not retry. */
async function collect(call: KeyedCall, read: EventFormat['read']): Promise<void> {
  const format: EventFormat = { names: COLLECTOR_NAMES, isText: true, read };
  const outcome = await storeEvents(call, format, readForeignParameters(call, KEYS), MAX_REPORTED_ERRORS);
  const { accepted, rejected, errors } = outcome;
  if (rejected > 0)
    throw new ServiceError('body_invalid', describeRefused(outcome), {
      reason: errors[0]?.code,
      event: errors[0]?.place,
      accepted,
      rejected,
    });
  if (accepted === 0) throw new ServiceError('body_invalid', 'The request has no events.', { reason: 'empty' });
  await sendJson(call.req, call.res, COLLECTOR_ANSWERS.success);
}

export const refuseAcknowledgment: KeyedHandler = () =>
  Promise.reject(
    new ServiceError('body_invalid', 'Acknowledgments are not offered.', {
      reason: 'ack_disabled',
      hint: 'events are on disk when the answer to them is sent: turn indexer acknowledgment off',
    })
  );

export const checkCollector: OpenHandler = async ({ ctx, req, res }) => {
  const { status } = await readReadiness(ctx);
  if (status !== 'unready') return sendJson(req, res, COLLECTOR_ANSWERS.healthy);
  res.setHeader('Retry-After', '5');
  return sendJson(req, res, COLLECTOR_ANSWERS.unhealthy, 503);
};
