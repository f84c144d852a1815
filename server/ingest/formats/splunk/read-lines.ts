/** Lines of a text, each of which is an event. */
import { isUtf8 } from 'node:buffer';
import { MAX_ENTRY_BYTES } from '#contract/events/source';
import { badUtf8 } from '../documents/read-object';
import { type RecordRefusal, tooLarge } from '../record-refusal';
import { tooManyEvents } from '../slice-list';
import type { EventStream, SentEvent, SharedFacts } from '../events/sent-event';

/** Lines that are read between two turns. */
const TURN_LINES = 256;
const SHARED: SharedFacts = { attributes: new Map(), records: [], source: null, service: null };

/** Blank lines are no events. @throws ServiceError `body_too_large` with the number of lines */
export function* readLines(body: Buffer, maxEvents: number): EventStream {
  const count = yield* countLines(body);
  if (count > maxEvents) throw tooManyEvents(maxEvents, count);
  for (const line of linesOf(body)) {
    if (line === null) yield null;
    else yield { shared: SHARED, event: readLine(line) };
  }
}

function* countLines(body: Buffer): Generator<null, number> {
  let count = 0;
  for (const line of linesOf(body)) {
    if (line === null) yield null;
    else count++;
  }
  return count;
}

/** Null is a turn for other work. */
function* linesOf(body: Buffer): Generator<Buffer | null, void> {
  let number = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf(0x0a, start);
    const end = newline < 0 ? body.length : newline;
    const hasReturn = end > start && body[end - 1] === 0x0d;
    const line = body.subarray(start, hasReturn ? end - 1 : end);
    if (line.length > 0) yield line;
    if (++number % TURN_LINES === 0) yield null;
    start = end + 1;
  }
}

function readLine(line: Buffer): SentEvent | RecordRefusal {
  if (line.length > MAX_ENTRY_BYTES) return tooLarge();
  if (!isUtf8(line)) return badUtf8();
  return { id: null, nanos: null, message: line.toString('utf8'), fields: new Map(), source: null };
}
