/** Snappy of senders: read in turns, and refused when it lies. */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { decodeSnappy, readSnappyHead } from '#server/http/bodies/snappy';
import { encodeSnappy, varint } from '../../../support/references/snappy';

function decode(bytes: Buffer): Buffer {
  const work = decodeSnappy(bytes, readSnappyHead(bytes));
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** What the message says, or the text. */
function outcomeOf(hex: string): string {
  try {
    return decode(Buffer.from(hex.replaceAll(' ', ''), 'hex')).toString();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.code, error.details.reason]).toEqual(['body_invalid', 'bad_snappy']);
    return error.message.replace(/^The request body is not snappy: /, '');
  }
}

const LINE = 'GET | 200 | /rest/v1/orders\n';

// Written by Google's implementation, except where a name says otherwise.
it.each([
  ['nothing', '00', ''],
  ['a letter', '010061', 'a'],
  ['two hundred equal letters', 'c8010061fe0100fe0100fe01000d01', 'a'.repeat(200)],
  [
    'forty equal lines',
    `e0086c474554207c20323030207c202f726573742f76312f6f72646572730a${'fe1c00'.repeat(17)}011c`,
    LINE.repeat(40),
  ],
  ['a literal with its length in two bytes, by hand', '02 f4 01 00 61 62', 'ab'],
  ['a literal with its length in four bytes, by hand', '02 fc 01 00 00 00 61 62', 'ab'],
  ['a copy with its distance in four bytes, by hand', '06 04 61 62 0f 02 00 00 00', 'ababab'],
])('%s is read', (_name, hex, text) => {
  expect(outcomeOf(hex)).toBe(text);
});

it.each([
  ['no byte', '', 'it has no length.'],
  ['a length without an end', '80 80', 'it has no length.'],
  ['a length of six bytes', 'ff ff ff ff ff 00', 'its length does not end.'],
  ['4 GB announced in nine bytes', 'ff ff ff ff 0f 00 61 00 61', 'it announces more than it can hold.'],
  ['more announced than an element can hold', '16 00', 'it announces more than it can hold.'],
  ['less than announced', '05 00 61', 'it holds less than it announces.'],
  ['more than announced', '01 04 61 62', 'it holds more than it announces.'],
  ['something behind the text', '01 00 61 00 61', 'it holds more than it announces.'],
  ['a literal that ends early', '03 08 61 62', 'a literal ends early.'],
  ['a literal of 4 GB', '03 fc ff ff ff ff 61', 'it holds more than it announces.'],
  ['a literal whose length ends early', '03 f8 01', 'an element ends early.'],
  ['a copy that ends early', '05 00 61 0e 01', 'an element ends early.'],
  ['a copy of nothing', '05 0e 01 00', 'a copy begins before the text.'],
  ['a copy from before the text', '05 00 61 0e 02 00', 'a copy begins before the text.'],
  ['a copy at no distance', '05 00 61 0e 00 00', 'a copy begins before the text.'],
])('%s is refused', (_name, hex, message) => {
  expect(outcomeOf(hex)).toBe(message);
});

it('the framed format is named', () => {
  const framed = Buffer.concat([Buffer.from('ff060000734e61507059', 'hex'), Buffer.alloc(200)]);
  expect(() => decode(framed)).toThrow(expect.objectContaining({ details: expect.objectContaining({ hint: expect.stringContaining('framed') }) })); // prettier-ignore
});

it('what was encoded is read again', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 300 })).map(([unit, times]) => Buffer.alloc(unit.length * times, unit)) // prettier-ignore
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const bytes = Buffer.concat(pieces);
      expect(decode(encodeSnappy(bytes)).equals(bytes)).toBe(true);
    }),
    { numRuns: 300 }
  );
});

it('random and changed bytes are read or refused, and no byte of other memory is returned', () => {
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(change, { maxLength: 4 }), (bytes, changes) => {
      const encoded = encodeSnappy(Buffer.concat([bytes, bytes]));
      for (const [at, byte] of changes) encoded[at % encoded.length] = byte;
      for (const one of [encoded, Buffer.from(bytes)]) {
        let announced = 0;
        try {
          announced = readSnappyHead(one).length;
          expect(decode(one)).toHaveLength(announced);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
        }
        expect(announced).toBeLessThanOrEqual(one.length * 22);
      }
    }),
    { numRuns: 500 }
  );
});

it('a long text is read in turns', () => {
  const bytes = encodeSnappy(Buffer.alloc(10_000_000, 'abcdefgh'));
  const turns = [...decodeSnappy(bytes, readSnappyHead(bytes))].length;
  expect(turns).toBeGreaterThan(30);
  expect(varint(10_000_000).equals(bytes.subarray(0, 4))).toBe(true);
});
