/**
 * Opens a file and detects its format by content, not by name, so that standard input and any file compressed with gzip
 * work.
 */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../../common/caught-error';
import { ImportError } from '../import-error';
import { type EventInput, type InputEvent, MAX_EVENT_BYTES } from './input';
import { readParquet } from './read-parquet';
import { type ArrayForm, splitArray } from './split-array';
import { splitLines } from './split-lines';

const READ_BYTES = 1024 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const OTHER_COMPRESSIONS = [
  { name: 'zstd', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), command: 'zstd -dc' },
  { name: 'xz', magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58]), command: 'xz -dc' },
  { name: 'bzip2', magic: Buffer.from('BZh'), command: 'bzip2 -dc' },
  { name: 'zip', magic: Buffer.from([0x50, 0x4b, 0x03, 0x04]), command: 'unzip -p' },
];
/** Tell compressed files from text. */
const MAGIC_BYTES = 4;
const PARQUET_MAGIC = Buffer.from('PAR1');
/** Tell the forms of text from each other. */
const HEAD_BYTES = 128;

/** @throws ImportError when there is no such file. */
export async function openInput(path: string): Promise<EventInput> {
  if (path === '-') return readText(process.stdin, null);
  const facts = await stat(path).catch((cause: unknown) => {
    throw new ImportError(`cannot open ${path} (${errorCode(cause)})`, { cause });
  });
  if (facts.isDirectory()) throw new ImportError(`${path} is not a file`);
  if (!facts.isFile()) throw new ImportError(`${path} is not a file; send what it brings to: lqe import -`);
  if (PARQUET_MAGIC.equals(await firstBytes(path))) return readParquet(path);
  return readText(createReadStream(path, { highWaterMark: READ_BYTES }), facts.size);
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PARQUET_MAGIC.length), 0, PARQUET_MAGIC.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function readText(source: Readable, total: number | null): EventInput {
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  let placeName: EventInput['placeName'] = 'line';
  return {
    pieces: splitText(counted(), () => (placeName = 'event')),
    get placeName() {
      return placeName;
    },
    progress: { total, unit: 'bytes', read: () => bytesRead },
  };
}

/** @param onArray called before the first event of a JSON array */
async function* splitText(bytes: AsyncGenerator<Buffer>, onArray: () => void): AsyncGenerator<readonly InputEvent[]> {
  const raw = await peek(bytes, MAGIC_BYTES);
  for (const { name, magic, command } of OTHER_COMPRESSIONS)
    if (raw.head.subarray(0, magic.length).equals(magic))
      throw new ImportError(`${name} is not read; send what it unpacks to: ${command} FILE | lqe import -`);
  const isGzip = raw.head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  const text = await peek(isGzip ? inflated(raw.chunks) : raw.chunks, HEAD_BYTES);
  if (text.head.subarray(0, PARQUET_MAGIC.length).equals(PARQUET_MAGIC)) {
    throw new ImportError('Parquet cannot be read from standard input or out of gzip; name the file itself');
  }
  // Byte for byte, since the matched bytes are counted.
  const head = text.head.toString('latin1');
  const answer = ANSWER.exec(head);
  const form = answer === null ? formOf(head) : 'member';
  if (form !== 'lines') onArray();
  if (answer !== null) yield* splitArray(skip(text.chunks, answer[0].length), MAX_EVENT_BYTES, 'member');
  else yield* form === 'lines' ? splitLines(text.chunks) : splitArray(text.chunks, MAX_EVENT_BYTES, form);
}

/**
 * The text before the rows of an answer of `GET /api/endpoints/query/…`, and before the events of one of CloudWatch
 * (`aws logs filter-log-events`, `get-log-events`).
 */
const ANSWER =
  /^\s*\{\s*(?:"result"\s*:\s*(?=\[)|"events"\s*:\s*(?=\[\s*\{\s*"(?:logStreamName|timestamp|ingestionTime|eventId)"))/;

/** An opening brace alone on its line is no event. */
function formOf(head: string): ArrayForm | 'lines' {
  if (/^\s*\[/.test(head)) return 'array';
  return /^\s*\{[ \t\r]*\n/.test(head) ? 'objects' : 'lines';
}

async function* skip(chunks: AsyncGenerator<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** Reads at least `leastBytes` that are not blank, and returns them with a stream of all bytes. */
async function peek(
  chunks: AsyncGenerator<Buffer>,
  leastBytes: number
): Promise<{ head: Buffer; chunks: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0);
  while (head.length < leastBytes || isBlank(head)) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const bare = withoutMark(head);
  async function* again(): AsyncGenerator<Buffer> {
    yield bare;
    yield* chunks;
  }
  return { head: bare, chunks: again() };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < READ_BYTES && bytes.toString('latin1').trim() === '';
}

/** Some tools write a byte order mark before UTF-8 text. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes;
}

async function* inflated(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  const input = new GzipInput(chunks);
  const piped = pipeline(Readable.from(input.read()), gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
    await piped;
    for await (const chunk of input.read()) void chunk;
  } catch (cause) {
    throw new ImportError('the gzip data is damaged or ends too early', { cause });
  } finally {
    // Not awaited: standard input may wait for bytes.
    void chunks.return(undefined);
  }
  if (input.filledTo > gunzip.bytesWritten)
    throw new ImportError('the gzip data has more data behind zeros, which is not read');
}

/** Input of Node's `Gunzip`, which ignores what follows a zero behind a member. */
class GzipInput {
  /** Offset behind the last byte that is not zero. */
  filledTo = 0;
  private bytesRead = 0;

  constructor(private readonly chunks: AsyncGenerator<Buffer>) {}

  /** Reads on. The end of a reader is not the end of the chunks. */
  async *read(): AsyncGenerator<Buffer> {
    for (let next = await this.chunks.next(); !next.done; next = await this.chunks.next()) {
      const { value } = next;
      let end = value.length;
      while (end > 0 && value[end - 1] === 0) end--;
      if (end > 0) this.filledTo = this.bytesRead + end;
      this.bytesRead += value.length;
      yield value;
    }
  }
}
