/** Collects events into batches, bounded in count and bytes. */
import { isUtf8 } from 'node:buffer';
import type { InputEvent } from './input/input';

export interface Rejection {
  readonly place: number;
  readonly code: string;
  readonly message: string;
}

export interface Batch {
  /** Newline-delimited JSON. */
  readonly body: Buffer;
  /** Place of each event in the input, in the order of the body. */
  readonly places: readonly number[];
  /** Events that are not sent: the server would refuse the whole batch because of one. */
  readonly unsent: readonly Rejection[];
}

export interface BatchLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** How long a batch waits for events that a program is still to write. @default 1000 */
  readonly maxWaitMs?: number;
}

const NEWLINE = Buffer.from('\n');
const MAX_WAIT_MS = 1000;
const PAUSE = 'pause';

export async function* batchEvents(
  pieces: AsyncIterable<readonly InputEvent[]>,
  limits: BatchLimits
): AsyncGenerator<Batch> {
  let parts: Buffer[] = [];
  let places: number[] = [];
  let unsent: Rejection[] = [];
  let bytes = 0;

  function take(): Batch {
    const batch = { body: Buffer.concat(parts), places, unsent };
    parts = [];
    places = [];
    unsent = [];
    bytes = 0;
    return batch;
  }

  for await (const piece of withPauses(pieces, limits.maxWaitMs ?? MAX_WAIT_MS)) {
    if (piece === PAUSE) {
      if (places.length + unsent.length > 0) yield take();
      continue;
    }
    for (const { place, json, refused } of piece) {
      if (refused !== undefined || json === null || !isUtf8(json)) {
        unsent.push(refused ? { place, ...refused } : json === null ? tooLarge(place) : notUtf8(place));
        if (unsent.length >= limits.maxEvents) yield take();
        continue;
      }
      if (places.length > 0 && bytes + json.length + 1 > limits.maxBytes) yield take();
      parts.push(json, NEWLINE);
      places.push(place);
      bytes += json.length + 1;
      if (places.length >= limits.maxEvents) yield take();
    }
  }
  if (places.length + unsent.length > 0) yield take();
}

/** The pieces, and pauses at least `ms` apart where the next piece is waited for. */
async function* withPauses<T>(pieces: AsyncIterable<T>, ms: number): AsyncGenerator<T | typeof PAUSE> {
  const iterator = pieces[Symbol.asyncIterator]();
  let pausedAt = performance.now();
  try {
    for (;;) {
      const next = iterator.next();
      if (await isLate(next, pausedAt + ms - performance.now())) {
        yield PAUSE;
        pausedAt = performance.now();
      }
      const step = await next;
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function isLate(next: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), ms)));
  const settled = next.then(
    () => false,
    () => false
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

/** Two halves of a batch that is too large for the server. */
export function halves(batch: Batch): [Batch, Batch] {
  const middle = Math.ceil(batch.places.length / 2);
  let cut = 0;
  for (let line = 0; line < middle; line++) cut = batch.body.indexOf(10, cut) + 1;
  return [
    { body: batch.body.subarray(0, cut), places: batch.places.slice(0, middle), unsent: batch.unsent },
    { body: batch.body.subarray(cut), places: batch.places.slice(middle), unsent: [] },
  ];
}

export function tooLarge(place: number): Rejection {
  return { place, code: 'entry_too_large', message: 'the event is larger than the server takes' };
}

function notUtf8(place: number): Rejection {
  return { place, code: 'encoding_invalid', message: 'the event is not valid UTF-8' };
}
