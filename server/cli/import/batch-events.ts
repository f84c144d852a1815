/** Collects events into batches, bounded in count and bytes. */
import type { InputEvent } from './input/input';

export interface Batch {
  /** Newline-delimited JSON. */
  readonly body: Buffer;
  /** Place of each event in the input, in the order of the body. */
  readonly places: readonly number[];
  /** Places of events that are too large to be sent. */
  readonly oversized: readonly number[];
}

export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

const NEWLINE = Buffer.from('\n');

export async function* batchEvents(
  pieces: AsyncIterable<readonly InputEvent[]>,
  limits: BatchLimits
): AsyncGenerator<Batch> {
  let parts: Buffer[] = [];
  let places: number[] = [];
  let oversized: number[] = [];
  let bytes = 0;

  function take(): Batch {
    const batch = { body: Buffer.concat(parts), places, oversized };
    parts = [];
    places = [];
    oversized = [];
    bytes = 0;
    return batch;
  }

  for await (const piece of pieces) {
    for (const { place, json } of piece) {
      if (json === null) {
        oversized.push(place);
        continue;
      }
      if (places.length > 0 && bytes + json.length + 1 > limits.maxBytes) yield take();
      parts.push(json, NEWLINE);
      places.push(place);
      bytes += json.length + 1;
      if (places.length >= limits.maxEvents) yield take();
    }
  }
  if (places.length + oversized.length > 0) yield take();
}

/** Two halves of a batch that is too large for the server. */
export function halves(batch: Batch): [Batch, Batch] {
  const middle = Math.ceil(batch.places.length / 2);
  let cut = 0;
  for (let line = 0; line < middle; line++) cut = batch.body.indexOf(10, cut) + 1;
  return [
    { body: batch.body.subarray(0, cut), places: batch.places.slice(0, middle), oversized: batch.oversized },
    { body: batch.body.subarray(cut), places: batch.places.slice(middle), oversized: [] },
  ];
}
