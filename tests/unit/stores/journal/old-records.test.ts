import fc from 'fast-check';
import { decodeFile } from '#server/stores/journal/decode-file';
import type { JournalEntry } from '#server/stores/journal/journal-record';
import { entry, oldFileOf, oldRecord, plain } from './journal-bytes';

const text = (body: string | Uint8Array): JournalEntry => ({
  source: 'events',
  nowMicros: 7,
  body: Buffer.from(body as string),
});
const withoutFacts = entry.map((given) => ({ ...given, facts: {} }));

describe('a file of the former format', () => {
  it('that was cut at any place has exactly the records before the cut, and is not damaged', () => {
    fc.assert(
      fc.property(fc.array(withoutFacts, { minLength: 1, maxLength: 4 }), fc.nat(), (entries, seed) => {
        const { bytes, ends } = oldFileOf(entries);
        const cut = seed % (bytes.length + 1);
        const whole = ends.filter((end) => end <= cut).length;
        const decoded = decodeFile(bytes.subarray(0, cut));
        expect(plain(decoded.records)).toEqual(plain(entries.slice(0, whole)));
        expect(decoded).toMatchObject({ hasRest: cut !== (ends[whole - 1] ?? 0), isDamaged: false, previous: null });
      }),
      { numRuns: 1000 }
    );
  });

  it('with a forged record in a body that is cut off is not damaged', () => {
    const forged = oldRecord({ position: 2, source: 'events', nowMicros: 7, body: Buffer.from('{"id":"forged"}') });
    const { bytes, ends } = oldFileOf([text('a'), text(Buffer.concat([forged, forged, Buffer.from('rest')]))]);
    for (let cut = ends[0]!; cut < bytes.length; cut++) {
      expect(decodeFile(bytes.subarray(0, cut))).toMatchObject({ records: [{ position: 1 }], isDamaged: false });
    }
  });

  it('with a changed record before a whole one is damaged', () => {
    const { bytes, ends } = oldFileOf([text('aaaa'), text('bbbb'), text('cccc')]);
    bytes[ends[1]! - 1] = 0;
    expect(decodeFile(bytes)).toMatchObject({ records: [{ position: 1 }], isDamaged: true });
  });

  it('with an invalid head is damaged, unless a power failure lost it', () => {
    const { bytes, ends } = oldFileOf([text('aaaa'), text('bbbb')]);
    bytes[ends[0]!] = 0x6c;
    expect(decodeFile(bytes).isDamaged).toBe(true);
    expect(decodeFile(bytes.fill(0, ends[0])).isDamaged).toBe(false);
  });
});
