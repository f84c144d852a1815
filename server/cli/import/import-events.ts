/** Runs an import: reads, batches, sends, and counts. The next batch is read while one is being sent. */
import { addIds } from './add-ids';
import { detectExport } from './exports/detect-export';
import { type ExportForm, readExport } from './exports/read-export';
import { type Batch, batchEvents, halves, type Rejection, tooLarge } from './batch-events';
import type { IngestClient } from './ingest-client';
import type { EventInput, InputEvent } from './input/input';

export interface ImportOptions {
  readonly batchEvents: number;
  /** Export of another store; `events`: as the server takes them. @default recognized by the first event */
  readonly form?: ExportForm | 'events' | undefined;
  /** Continue after a batch with rejected events. */
  readonly continueOnError: boolean;
  /** Events that start before this place are skipped. */
  readonly fromPlace: number;
  /** Aborts when the user stops the import: the batch in flight is completed, and no further one is sent. */
  readonly signal: AbortSignal;
  readonly onProgress: (summary: ImportSummary) => void;
  /** Gets what the first event shows about the form of the events. */
  readonly onForm?: (sentence: string) => void;
}

export interface ImportSummary {
  /** Number of events that the server has now, including duplicates. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The first rejections, by place. */
  readonly rejections: readonly Rejection[];
  /** The last place that was sent and answered; 0: none. */
  readonly lastPlace: number;
  /** Place of the last event that was read, skipped ones included. */
  readonly readTo: number;
  /** `complete`: the whole input was sent. */
  readonly end: 'running' | 'complete' | 'rejected' | 'interrupted';
}

const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const SHOWN_REJECTIONS = 20;
const NOTHING: ImportSummary = {
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  rejections: [],
  lastPlace: 0,
  readTo: 0,
  end: 'running',
};

export async function importEvents(
  input: EventInput,
  client: IngestClient,
  options: ImportOptions
): Promise<ImportSummary> {
  const limits = { maxEvents: options.batchEvents, maxBytes: MAX_BATCH_BYTES };
  let readTo = 0;
  const events = fromPlace(addIds(readForm(input, options)), options.fromPlace, (place) => (readTo = place));
  const batches = batchEvents(events, limits);
  const stopped = whenAborted(options.signal);
  let summary = NOTHING;
  let next = batches.next();
  try {
    for (;;) {
      const step = await Promise.race([stopped, next]);
      if (step === null) return { ...summary, end: 'interrupted' };
      if (step.done) return { ...summary, readTo, end: 'complete' };
      next = batches.next();
      next.catch(() => undefined); // handled in the next round, after this batch was sent
      summary = await sendBatch(client, step.value, summary);
      options.onProgress(summary);
      if (summary.rejected > 0 && !options.continueOnError) return { ...summary, end: 'rejected' };
    }
  } catch (error) {
    if (options.signal.aborted) return { ...summary, end: 'interrupted' };
    throw error;
  } finally {
    void batches.return(undefined).catch(() => undefined); // not awaited: a read of standard input may never end
  }
}

function readForm({ pieces }: EventInput, { form, onForm }: ImportOptions): EventInput['pieces'] {
  if (form === undefined) return detectExport(pieces, onForm ?? (() => undefined));
  return form === 'events' ? pieces : readExport(pieces, form);
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

async function* fromPlace(
  pieces: AsyncIterable<readonly InputEvent[]>,
  place: number,
  onRead: (lastPlace: number) => void
): AsyncGenerator<readonly InputEvent[]> {
  for await (const piece of pieces) {
    if (piece.length > 0) onRead(piece.at(-1)!.place);
    yield place <= 1 ? piece : piece.filter((event) => event.place >= place);
  }
}

async function sendBatch(client: IngestClient, batch: Batch, summary: ImportSummary): Promise<ImportSummary> {
  if (batch.places.length === 0) return withRejections(summary, batch.unsent);
  const answer = await client.send(batch.body);
  if (answer === 'too_large') {
    if (batch.places.length === 1) return withRejections(summary, [...batch.places.map(tooLarge), ...batch.unsent]);
    const [first, second] = halves(batch);
    return sendBatch(client, second, await sendBatch(client, first, summary));
  }
  const rejections = answer.errors.map(({ index, code, message }) => ({
    place: batch.places[index] ?? 0,
    code,
    message,
  }));
  const counted = {
    ...summary,
    accepted: summary.accepted + answer.accepted,
    duplicates: summary.duplicates + answer.duplicates,
    rejected: summary.rejected + answer.rejected - rejections.length,
    lastPlace: batch.places.at(-1) as number,
  };
  return withRejections(counted, [...rejections, ...batch.unsent]);
}

function withRejections(summary: ImportSummary, rejections: readonly Rejection[]): ImportSummary {
  if (rejections.length === 0) return summary;
  return {
    ...summary,
    rejected: summary.rejected + rejections.length,
    rejections: [...summary.rejections, ...rejections].slice(0, SHOWN_REJECTIONS),
    lastPlace: Math.max(summary.lastPlace, ...rejections.map((each) => each.place)),
  };
}
