/** Events of a shipper's own format: read, sorted by source, and stored as entries like all others. */
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/source';
import { SourceChooser } from '../event-formats/choose-source';
import { type EntryBatch, EventBatches, type RefusedEvent } from '../event-formats/event-batches';
import type { EventStream, SourceNames } from '../event-formats/sent-event';
import type { AppContext } from '../context';
import { inIngestPlace, readIngestBody, storeEntries } from './ingest-batch';
import type { KeyedCall } from './router';

export interface EventFormat {
  readonly names: SourceNames;
  read(body: Buffer): EventStream;
}

export interface EventsOutcome {
  /** Stored now or before. */
  readonly accepted: number;
  readonly rejected: number;
  /** The first of the rejected, by their place in the request, from zero. */
  readonly errors: readonly RefusedEvent[];
}

/**
 * @param source for events that name none
 * @throws ServiceError `body_invalid` when the body cannot be read, or none of its events can be stored
 */
export async function ingestEvents(
  call: KeyedCall,
  format: EventFormat,
  source: Source | null
): Promise<EventsOutcome> {
  const { ctx } = call;
  return inIngestPlace(call, async () => {
    const body = await readIngestBody(call);
    const chooser = new SourceChooser(ctx.sources.all, source, format.names);
    const events = new EventBatches(chooser, ctx.config.ingest.maxInflatedBytes);
    await readInTurns(format.read(body), events);
    const outcome = await storeAll(ctx, events);
    ensureAnyStored(outcome);
    return outcome;
  });
}

/** Longest time for which reading holds the event loop. */
const TURN_MS = 5;

async function readInTurns(stream: EventStream, events: EventBatches): Promise<void> {
  let until = performance.now() + TURN_MS;
  try {
    for (const read of stream) {
      if (read !== null) events.add(read);
      if (performance.now() < until) continue;
      await setImmediate();
      until = performance.now() + TURN_MS;
    }
  } catch (error) {
    throw withPlace(error, events.count);
  }
}

/** Values have no position of their own in the body. */
function withPlace(error: unknown, place: number): unknown {
  if (!(error instanceof ServiceError) || error.details.reason !== 'bad_value') return error;
  return new ServiceError(error.code, `Event ${place}: ${error.message}`, error.details);
}

/** One source after another. When one of them fails the sender sends all of it again, and what was stored before makes no double. */
async function storeAll(ctx: AppContext, events: EventBatches): Promise<EventsOutcome> {
  let accepted = 0;
  let rejected = 0;
  const errors: RefusedEvent[] = [...events.refused];
  for (const [source, count] of events.refusedCounts) {
    rejected += count;
    ctx.metrics.ingestEntries.inc({ source: source || 'none', outcome: 'rejected' }, count);
  }
  const nowMicros = ctx.clock.nowMicros();
  for (const batch of events.batches) {
    const result = await storeEntries(ctx, { source: batch.source, nowMicros }, Buffer.concat(batch.lines));
    accepted += result.accepted;
    rejected += result.rejected;
    errors.push(...result.errors.map((error) => inRequest(error, batch)));
  }
  errors.sort((a, b) => a.place - b.place);
  return { accepted, rejected, errors };
}

function inRequest(
  { index, code, message }: { readonly index: number; readonly code: string; readonly message: string },
  { places }: EntryBatch
): RefusedEvent {
  return { place: places[index] ?? 0, code, message };
}

function ensureAnyStored(outcome: EventsOutcome): void {
  const { accepted, rejected, errors } = outcome;
  if (accepted > 0 || rejected === 0) return;
  throw new ServiceError('body_invalid', describeRefused(outcome), { reason: errors[0]?.code, rejected });
}

const MAX_DESCRIBED = 5;

/** The first few, in one sentence: shippers write it to their own log. */
export function describeRefused({ accepted, rejected, errors }: EventsOutcome): string {
  const shown = errors.slice(0, MAX_DESCRIBED).map(({ place, code, message }) => `event ${place}: ${code}: ${message}`);
  return `${rejected} of ${accepted + rejected} events were not stored. ${shown.join('; ')}${rejected > shown.length ? '; …' : ''}`;
}
