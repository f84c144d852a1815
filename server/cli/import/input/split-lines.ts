/** Splits newline-delimited JSON into one event per line. Nothing is parsed here; the server checks every event. */
import { MAX_EVENT_BYTES, type InputEvent } from './input';

const NEWLINE = 10;

export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxEventBytes = MAX_EVENT_BYTES
): AsyncGenerator<InputEvent[]> {
  let line = 1;
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  function takeLine(last: Buffer): InputEvent | null {
    const isTooLarge = pendingBytes + last.length > maxEventBytes;
    const bytes = isTooLarge ? null : pending.length === 0 ? last : Buffer.concat([...pending, last]);
    pending = [];
    pendingBytes = 0;
    const place = line;
    line += 1;
    if (bytes !== null && isBlank(bytes)) return null;
    return { place, json: bytes };
  }

  for await (const chunk of chunks) {
    const events: InputEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const event = takeLine(chunk.subarray(start, end));
      if (event !== null) events.push(event);
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    pendingBytes += rest.length;
    if (pendingBytes <= maxEventBytes) pending.push(rest);
    else pending = [];
    if (events.length > 0) yield events;
  }
  const last = takeLine(Buffer.alloc(0));
  if (last !== null) yield [last];
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
