/** Reads a file slice by slice, so that a file of any size takes a few megabytes of memory. */
import { type EventForm, formOf, HEAD_BYTES } from './event-form';
import { createSplitter } from './split-events';

/** Events that are sent together. */
export interface EventPiece {
  readonly lines: readonly Uint8Array[];
  /** Place of the first one among all events, from 0. */
  readonly firstIndex: number;
  /** Bytes of the file that are read so far, as they are on disk. */
  readonly readBytes: number;
}

/** Well within the smallest usual limits: 10 MiB and 100,000 events. */
const PIECE_BYTES = 2 * 1024 * 1024;
const PIECE_EVENTS = 10_000;

export interface EventFile {
  readonly name: string;
  readonly size: number;
  readonly form: EventForm;
  readonly isGzip: boolean;
  /** The beginning, as text. */
  readonly preview: string;
  readonly blob: Blob;
}

const PREVIEW_CHARACTERS = 600;

/** @throws when the file cannot be read, or is not valid gzip */
export async function openEventFile(blob: Blob, name: string): Promise<EventFile> {
  const magic = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b;
  const head = await readHead(inflated(blob, isGzip, () => undefined));
  const form = formOf(head);
  const preview = form === 'binary' ? '' : new TextDecoder().decode(head).slice(0, PREVIEW_CHARACTERS);
  return { name, size: blob.size, form, isGzip, preview, blob };
}

/** @throws when the file cannot be read, changed while it was read, or is not valid gzip */
export async function* eventPieces({ blob, form, isGzip }: EventFile): AsyncGenerator<EventPiece> {
  if (form === 'binary') return;
  const splitter = createSplitter(form);
  let readBytes = 0;
  let firstIndex = 0;
  let lines: Uint8Array[] = [];
  let bytes = 0;
  const take = (): EventPiece => {
    const piece = { lines, firstIndex, readBytes };
    firstIndex += lines.length;
    lines = [];
    bytes = 0;
    return piece;
  };
  function* addAll(events: readonly Uint8Array[]): Generator<EventPiece> {
    for (const event of events) {
      if (lines.length > 0 && (bytes + event.length > PIECE_BYTES || lines.length >= PIECE_EVENTS)) yield take();
      lines.push(event);
      bytes += event.length + 1;
    }
  }
  const reader = inflated(blob, isGzip, (count) => (readBytes += count)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      yield* addAll(splitter.push(next.value));
    yield* addAll(splitter.end());
    if (lines.length > 0) yield take();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @param onRead called with the number of bytes that were read of the file */
function inflated(blob: Blob, isGzip: boolean, onRead: (bytes: number) => void): ReadableStream<Uint8Array> {
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onRead(chunk.length);
      controller.enqueue(chunk);
    },
  });
  const plain = blob.stream().pipeThrough(counted);
  if (!isGzip) return plain;
  const inflate = new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  return plain.pipeThrough(inflate);
}

async function readHead(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < HEAD_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const head = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    head.set(chunk, at);
    at += chunk.length;
  }
  return head.subarray(0, HEAD_BYTES);
}
