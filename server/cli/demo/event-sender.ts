/** Sends sample events to a running service over HTTP like a log shipper, source by source. */
import { createIngestClient, type IngestClient } from '../import/ingest-client';
import { ImportError } from '../import/import-error';
import { SAMPLE_SOURCE_NAMES, type SampleSource } from '../sample-data/sample-event';
import type { SourceEvent } from '../sample-data/sample-logs';

export interface EventSender {
  /** Resolves when the service has stored all events. @returns the number of new events */
  send(events: Iterable<SourceEvent>): Promise<number>;
}

export interface EventSenderOptions {
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Called before each wait for a service that is unavailable or busy. */
  readonly onWait: (reason: string) => void;
}

const BATCH_EVENTS = 1000;
const BATCHES_UNDER_WAY = 3;

export function createEventSender({ url, token, signal, onWait }: EventSenderOptions): EventSender {
  const clients = new Map<SampleSource, IngestClient>(
    SAMPLE_SOURCE_NAMES.map((source) => [
      source,
      createIngestClient({ url, token, source }, { patienceMs: Infinity, signal, onWait }),
    ])
  );

  async function sendBatch(source: SampleSource, lines: readonly string[]): Promise<number> {
    const answer = await clients.get(source)!.send(Buffer.from(lines.join('\n')));
    if (answer === 'too_large') throw new ImportError(`The service refuses a batch of ${lines.length} sample events.`);
    const [refused] = answer.errors;
    if (refused) throw new ImportError(`The service refuses sample events of ${source}: ${refused.message}`);
    return answer.accepted;
  }

  return {
    async send(events) {
      const lines = new Map<SampleSource, string[]>();
      for (const { source, event } of events) {
        const some = lines.get(source) ?? [];
        some.push(JSON.stringify(event));
        lines.set(source, some);
      }
      const batches = [...lines].flatMap(([source, all]) =>
        Array.from({ length: Math.ceil(all.length / BATCH_EVENTS) }, (_, at) => ({
          source,
          lines: all.slice(at * BATCH_EVENTS, (at + 1) * BATCH_EVENTS),
        }))
      );
      let stored = 0;
      const sendInTurn = async (): Promise<void> => {
        for (let batch = batches.shift(); batch; batch = batches.shift()) {
          signal.throwIfAborted();
          const accepted = await sendBatch(batch.source, batch.lines);
          stored += accepted;
        }
      };
      await Promise.all(Array.from({ length: BATCHES_UNDER_WAY }, sendInTurn));
      return stored;
    },
  };
}
