/** Ingests events in a shipper's own format: reads them, groups them by source, and stores them as entries. */
import { ServiceError } from '#contract/errors';
import { type IngestError, MAX_REPORTED_ERRORS } from '#contract/queries/result';
import { SourceChooser } from '../../ingest/formats/events/choose-source';
import { type EntryBatch, EventBatches, type RefusedEvent } from '../../ingest/formats/events/event-batches';
import type { EventStream, SourceNames } from '../../ingest/formats/events/sent-event';
import { inTurns } from '../../ingest/in-turns';
import type { BodyReservation } from '../bodies/body-budget';
import { bodyDigest } from './body-digest';
import { withIngestBody } from './ingest-batch';
import type { IngestParameters } from './ingest-parameters';
import { IngestReceipt } from './ingest-receipt';
import { seesSources } from '../request/ensure-sees-sources';
import type { KeyedCall } from '../router';
import { repairUtf8 } from './repair-text';
import { storeBody } from './store-body';

export interface EventFormat {
  readonly names: SourceNames;
  /** Whether the body is text in UTF-8 as a whole. What is not becomes U+FFFD. */
  readonly isText: boolean;
  /** Whether the body is compressed with snappy. */
  readonly isSnappy?: boolean;
  /** Name that the sender gives a request and its retries; counts where there is no `Idempotency-Key`. */
  readonly delivery?: string | null;
  read(body: Buffer, maxEvents: number): EventStream;
}

export interface EventsOutcome {
  /** Events stored by this request or an earlier one. */
  readonly accepted: number;
  /** Accepted events that an earlier request had stored. */
  readonly duplicates: number;
  readonly rejected: number;
  /** The first rejected events; `place` is the zero-based index in the request. */
  readonly errors: readonly RefusedEvent[];
}

/** @throws ServiceError `body_invalid` when the body cannot be read, or none of its events can be stored */
export async function ingestEvents(
  call: KeyedCall,
  format: EventFormat,
  parameters: IngestParameters
): Promise<EventsOutcome> {
  const outcome = await storeEvents(call, format, parameters, MAX_REPORTED_ERRORS);
  ensureAnyStored(outcome);
  return outcome;
}

/**
 * @param maxErrors maximum number of rejected events that are described; the others are only counted
 * @throws ServiceError `body_invalid` when the body cannot be read
 */
export async function storeEvents(
  call: KeyedCall,
  format: EventFormat,
  parameters: IngestParameters,
  maxErrors: number
): Promise<EventsOutcome> {
  const { ctx, res } = call;
  const receipt = new IngestReceipt(res);
  const work = async (body: Buffer, memory: BodyReservation): Promise<EventsOutcome> => {
    const chooser = new SourceChooser({
      sources: ctx.sources.all,
      fallback: parameters.source,
      names: format.names,
      showsSources: seesSources(call),
    });
    const { maxEvents, maxInflatedBytes } = ctx.config.ingest;
    const limits = { maxEvents, maxBytes: maxInflatedBytes, maxRefused: maxErrors };
    const text = format.isText ? await repairUtf8(body, { maxBytes: maxInflatedBytes, memory }) : body;
    const events = new EventBatches(chooser, limits, text === body ? null : await bodyDigest(body));
    await readAll(format.read(text, maxEvents), events);
    const outcome = await storeAll(call, receipt, events, {
      ...parameters,
      maxErrors,
      sentKey: format.delivery ?? null,
    });
    receipt.noteStored();
    return outcome;
  };
  return withIngestBody(call, work, format);
}

async function readAll(stream: EventStream, events: EventBatches): Promise<void> {
  try {
    await inTurns(stream, (read) => {
      if (read !== null) events.add(read);
    });
  } catch (error) {
    throw withPlace(error, events.count);
  }
}

/** Adds the position of the event: errors of values have none. */
function withPlace(error: unknown, place: number): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'bad_value') return error;
  return new ServiceError(error.code, `Event ${place}: ${error.message}`, error.details);
}

/**
 * Stores source by source. When one fails, the sender repeats the whole request; events already stored are not
 * duplicated.
 */
async function storeAll(
  call: KeyedCall,
  receipt: IngestReceipt,
  events: EventBatches,
  { tenant, maxErrors, sentKey }: IngestParameters & { readonly maxErrors: number; readonly sentKey: string | null }
): Promise<EventsOutcome> {
  let accepted = 0;
  let duplicates = 0;
  let rejected = 0;
  const errors: RefusedEvent[] = [...events.refused];
  for (const [source, count] of events.refusedCounts) {
    rejected += count;
    call.ctx.metrics.ingestEntries.inc({ source: source || 'none', outcome: 'rejected' }, count);
    if (source !== '') call.ctx.activity.arrivals.add(source, { stored: 0, duplicates: 0, rejected: count });
  }
  for (const batch of events.finish()) {
    const result = await storeBody(call, receipt, { ...batch, tenant, rejected: [], maxErrors, sentKey });
    accepted += result.accepted;
    duplicates += result.duplicates;
    rejected += result.rejected;
    for (const error of result.errors) errors.push(inRequest(error, batch));
  }
  errors.sort((a, b) => a.place - b.place);
  return { accepted, duplicates, rejected, errors };
}

function inRequest({ index, code, message }: IngestError, { places }: EntryBatch): RefusedEvent {
  return { place: places[index] ?? 0, code, message };
}

function ensureAnyStored(outcome: EventsOutcome): void {
  const { accepted, rejected, errors } = outcome;
  if (accepted > 0 || rejected === 0) return;
  throw new ServiceError('body_invalid', describeRefused(outcome), { reason: errors[0]?.code, rejected });
}

const MAX_DESCRIBED = 5;

/** Describes the first rejected events in one sentence, which shippers write to their log. */
export function describeRefused({ accepted, rejected, errors }: Omit<EventsOutcome, 'duplicates'>): string {
  const shown = errors.slice(0, MAX_DESCRIBED).map(({ place, code, message }) => `event ${place}: ${code}: ${message}`);
  return `${rejected} of ${accepted + rejected} events were not stored: ${shown.join('; ')}${rejected > shown.length ? '; …' : ''}`;
}
