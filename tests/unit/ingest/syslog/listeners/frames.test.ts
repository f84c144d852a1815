import fc from 'fast-check';
import { type Frame, FrameError, FrameReader, MAX_FRAME_BYTES } from '#server/ingest/syslog/listeners/frames';
import { fcRuns } from '../../../../support/jest/fc-runs';
import { LINEAR_MS, processorMs } from '../../../../support/jest/processor-time';

const MAX_BYTES = 64;

interface Seen {
  readonly text: string;
  readonly isCut: boolean;
}

const seen = ({ bytes, isCut }: Frame): Seen => ({ text: bytes.toString('latin1'), isCut });

/** The messages of a stream that comes in these chunks and ends. */
function read(chunks: readonly Buffer[], maxBytes = MAX_BYTES): Seen[] {
  const reader = new FrameReader(maxBytes);
  const all: Seen[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) all.push(seen(frame));
    reader.settle();
  }
  const rest = reader.flush();
  return rest === null ? all : [...all, seen(rest)];
}

const whole = (...texts: string[]): Seen[] => texts.map((text) => ({ text, isCut: false }));
const LONG = 'x'.repeat(MAX_BYTES);

it.each<[string, string, Seen[]]>([
  ['lines', '<1>a\n<1>b\n', whole('<1>a', '<1>b')],
  ['a last line without an end', '<1>a\n<1>b', whole('<1>a', '<1>b')],
  ['CR and LF', '<1>a\r\n\r\n<1>b\r\n', whole('<1>a\r', '<1>b\r')],
  ['NUL, as Python sends it', '<1>a\0<1>b\0', whole('<1>a', '<1>b')],
  ['empty lines', '\n\n<1>a\n\n', whole('<1>a')],
  ['lengths', '4 <1>a5 <1>bc', whole('<1>a', '<1>bc')],
  ['lengths with line feeds between', '4 <1>a\n5 <1>bc\n', whole('<1>a', '<1>bc')],
  ['a line feed within a message of a length', '6 <1>a\nb<1>c\n', whole('<1>a\nb', '<1>c')],
  ['lengths and lines, mixed', '4 <1>a<1>b\n4 <1>c', whole('<1>a', '<1>b', '<1>c')],
  ['a line that begins with a number', '12 items\n', whole('12 items')],
  ['a line that begins with a year', '2026-01-01 text\n', whole('2026-01-01 text')],
  ['a length that begins with 0', '04 <1>a\n', whole('04 <1>a')],
  ['a negative length', '-4 <1>a\n', whole('-4 <1>a')],
  ['a length of 0', '0 <1>a\n', whole('0 <1>a')],
  ['more digits than a length has', '1234567890123456 <1>a\n', whole('1234567890123456 <1>a')],
  ['digits and nothing else', '123', whole('123')],
  ['the longest line', `${LONG}\n<1>a\n`, whole(LONG, '<1>a')],
  ['a longer line', `${LONG}yz\n<1>a\n`, [{ text: LONG, isCut: true }, ...whole('<1>a')]],
  ['a longer line without an end', `${LONG}yz`, [{ text: LONG, isCut: true }]],
  [
    'a longer message of a length',
    `70 <1>${LONG}yyy<1>a\n`,
    [{ text: `<1>${LONG}`.slice(0, MAX_BYTES), isCut: true }, ...whole('<1>a')],
  ],
  ['a message that is shorter than its length', '50 <1>a', [{ text: '<1>a', isCut: true }]],
  ['a length without its message', '50 ', whole('50 ')],
])('a stream is split into messages: %s', (_name, stream, expected) => {
  expect(read([Buffer.from(stream, 'latin1')])).toEqual(expected);
});

it('a length that no message has is an error', () => {
  for (const length of ['1000000000000', String(MAX_FRAME_BYTES + 1)])
    expect(() => read([Buffer.from(`${length} <1>a`)])).toThrow(FrameError);
});

it('a line that never ends is an error, and takes no memory', () => {
  const reader = new FrameReader(MAX_BYTES);
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  let frames = 0;
  expect(() => {
    for (let at = 0; at < 32; at++) {
      reader.push(chunk);
      while (reader.next() !== null) frames++;
      reader.settle();
    }
  }).toThrow(FrameError);
  expect(frames).toBe(1);
});

const messages = fc.array(
  fc.record({
    text: fc.stringMatching(/^<\d{1,3}>[ -~]{0,80}$/),
    isCounted: fc.boolean(),
  }),
  { maxLength: 20 }
);

/** Cuts at random places. */
function pieces(stream: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (stream.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((place, at) => stream.subarray(place, places[at] ?? stream.length));
}

it('a stream is split in the same way wherever it is cut, and every message is there', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat()), (sent, cuts) => {
      const stream = sent.map(({ text, isCounted }) => (isCounted ? `${text.length} ${text}` : `${text}\n`)).join('');
      const expected = sent.map(({ text }) => ({ text: text.slice(0, MAX_BYTES), isCut: text.length > MAX_BYTES }));
      expect(read(pieces(Buffer.from(stream), cuts))).toEqual(expected);
    }),
    fcRuns(500)
  );
});

it('random bytes are split in the same way wherever they are cut', () => {
  const byte = fc.oneof(fc.constantFrom(...Buffer.from('0123456789 <>\n\0\r')), fc.nat(255));
  const outcome = (chunks: readonly Buffer[]): unknown => {
    try {
      return read(chunks);
    } catch (error) {
      return error instanceof FrameError ? 'error' : error;
    }
  };
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 300 }), fc.array(fc.nat()), (bytes, cuts) => {
      const stream = Buffer.from(bytes);
      expect(outcome(pieces(stream, cuts))).toEqual(outcome([stream]));
    }),
    fcRuns(1000)
  );
});

it('single bytes of a long message take little time', () => {
  const reader = new FrameReader(65_536);
  const byte = Buffer.from('x');
  let frames = 0;
  const readAll = (): void => {
    for (let at = 0; at < 65_536; at++) {
      reader.push(byte);
      frames += reader.next() === null ? 0 : 1;
      reader.settle();
    }
  };
  expect(processorMs(readAll, LINEAR_MS, 1)).toBeLessThan(LINEAR_MS);
  expect(frames).toBe(0);
  expect(reader.isInMessage).toBe(true);
});
