import fc from 'fast-check';
import { decodeFile } from '#server/stores/journal/decode-file';
import { encodeMark, encodeRecord, FILE_HEAD_BYTES, RECORD_HEAD_BYTES } from '#server/stores/journal/journal-layout';
import { type JournalEntry, MAX_FACTS_BYTES } from '#server/stores/journal/journal-record';
import { entry, fileOf, plain } from './journal-bytes';

const SECTOR = 512;

const text = (body: string): JournalEntry => ({ source: 'events', nowMicros: 7, body: Buffer.from(body), facts: {} });
const shape = fc.record({ first: fc.integer({ min: 1, max: 1e9 }), group: fc.integer({ min: 1, max: 4 }) });

function zero(bytes: Buffer, from: number, to: number): Buffer {
  return Buffer.from(bytes).fill(0, from, to);
}

describe('a journal file', () => {
  it('is read as it was written, with facts of any name', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), shape, fc.boolean(), (entries, { first, group }, hasMark) => {
        const decoded = decodeFile(fileOf(entries, { first, group, hasMark, previous: 3 }).bytes);
        expect(plain(decoded.records)).toEqual(plain(entries));
        expect(decoded.records.map(({ position }) => position)).toEqual(entries.map((_, i) => first + i));
        expect(decoded).toMatchObject({ hasRest: false, isDamaged: false, previous: 3 });
      })
    );
  });

  it('that was cut at any place has exactly the records before the cut, and is not damaged', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 4 }), shape, fc.nat(), (entries, of, seed) => {
        const { bytes, ends } = fileOf(entries, of);
        const cut = seed % bytes.length;
        const whole = ends.filter((end) => end <= cut).length;
        const decoded = decodeFile(bytes.subarray(0, cut));
        expect(plain(decoded.records)).toEqual(plain(entries.slice(0, whole)));
        expect(decoded.isDamaged).toBe(false);
        expect(decoded.hasRest).toBe(cut > 0 && cut !== (ends[whole - 1] ?? FILE_HEAD_BYTES));
      }),
      { numRuns: 1000 }
    );
  });

  it('with a changed byte is damaged, and no other record is read', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (entries, seed, flip) => {
          const { bytes, ends } = fileOf(entries, { hasMark: true });
          const at = seed % (bytes.length - RECORD_HEAD_BYTES);
          bytes[at] = bytes[at]! ^ flip;
          const decoded = decodeFile(bytes);
          expect(decoded.isDamaged).toBe(true);
          const whole = at < FILE_HEAD_BYTES ? 0 : ends.filter((end) => end <= at).length;
          expect(plain(decoded.records)).toEqual(plain(entries.slice(0, whole)));
        }
      )
    );
  });

  it('that continues as another file after some sector has only its own records', () => {
    const own = fileOf(['a', 'b', 'c'].map((body) => text(body.repeat(SECTOR))));
    const other = fileOf(['x', 'y', 'z'].map((body) => text(body.repeat(SECTOR))));
    const mixed = Buffer.concat([own.bytes.subarray(0, own.ends[0]), other.bytes.subarray(other.ends[0])]);
    expect(plain(decodeFile(mixed).records)).toEqual(plain([text('a'.repeat(SECTOR))]));
  });

  it('with a whole record of its own at a wrong place has only the records before it', () => {
    const { bytes, tag } = fileOf([text('a')]);
    const moved = encodeRecord({ tag, offset: 0, synced: 0 }, 2, text('b'));
    const skipping = encodeRecord({ tag, offset: bytes.length, synced: bytes.length }, 3, text('b'));
    for (const record of [moved, skipping]) {
      const decoded = decodeFile(Buffer.concat([bytes, record]));
      expect(decoded.records).toHaveLength(1);
      expect(decoded.isDamaged).toBe(true);
    }
  });
});

describe('after a power failure that lost sectors', () => {
  const bodies = ['a', 'b', 'c', 'd'].map((body) => text(body.repeat(3 * SECTOR)));
  const lostIn = ({ bytes, starts }: ReturnType<typeof fileOf>, record: number): Buffer => {
    const sector = Math.ceil((starts[record]! + RECORD_HEAD_BYTES) / SECTOR) * SECTOR;
    return zero(bytes, sector, sector + SECTOR);
  };

  it('a group of unsynced records is dropped from its first lost sector on', () => {
    for (let record = 0; record < 4; record++) {
      const decoded = decodeFile(lostIn(fileOf(bodies, { group: 4 }), record));
      expect(plain(decoded.records)).toEqual(plain(bodies.slice(0, record)));
      expect(decoded).toMatchObject({ hasRest: true, isDamaged: false });
    }
  });

  it('a lost head in such a group is not damage', () => {
    const { bytes, starts } = fileOf(bodies, { group: 4 });
    const decoded = decodeFile(zero(bytes, starts[2]!, starts[2]! + SECTOR));
    expect(plain(decoded.records)).toEqual(plain(bodies.slice(0, 2)));
    expect(decoded.isDamaged).toBe(false);
  });

  it('lost sectors before a record that was written after their sync are damage', () => {
    expect(decodeFile(lostIn(fileOf(bodies, { group: 2 }), 1)).isDamaged).toBe(true);
    expect(decodeFile(lostIn(fileOf(bodies, { group: 2 }), 2)).isDamaged).toBe(false);
  });

  it('lost sectors before a mark are damage, in a body and in a head', () => {
    const file = fileOf(bodies, { group: 4, hasMark: true });
    expect(decodeFile(lostIn(file, 3)).isDamaged).toBe(true);
    expect(decodeFile(zero(file.bytes, file.starts[1]!, file.starts[1]! + SECTOR)).isDamaged).toBe(true);
  });

  it('a file with zeros after its last record is unfinished', () => {
    const decoded = decodeFile(Buffer.concat([fileOf(bodies).bytes, Buffer.alloc(100_000)]));
    expect(plain(decoded.records)).toEqual(plain(bodies));
    expect(decoded).toMatchObject({ hasRest: true, isDamaged: false });
  });

  it('a file without its head is new or damaged', () => {
    expect(decodeFile(Buffer.alloc(0))).toMatchObject({ records: [], hasRest: false, isDamaged: false });
    expect(decodeFile(Buffer.alloc(FILE_HEAD_BYTES))).toMatchObject({ records: [], hasRest: true, isDamaged: false });
    const { bytes } = fileOf(bodies);
    expect(decodeFile(zero(bytes, 0, FILE_HEAD_BYTES))).toMatchObject({ records: [], isDamaged: true });
  });
});

describe('the body of a sender', () => {
  it('cannot hide, forge or damage a record, wherever the file is cut', () => {
    const forgedFile = fileOf([text('{"id":"forged"}'), text('{"id":"forged"}')], { first: 2, hasMark: true }).bytes;
    const hostile = [text('a'), { ...text(''), body: forgedFile }, { ...text(''), body: Buffer.alloc(600) }];
    const { bytes, ends } = fileOf(hostile);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { records, isDamaged } = decodeFile(bytes.subarray(0, cut));
      expect(records.length).toBe(ends.filter((end) => end <= cut).length);
      expect(isDamaged).toBe(false);
    }
  });

  it('that ends like a mark of another file has no effect when its record is cut off there', () => {
    const mark = encodeMark({ tag: Buffer.alloc(16, 1), offset: 64, synced: 1_000_000 });
    const { bytes } = fileOf([{ ...text(''), body: Buffer.concat([mark, Buffer.from('rest')]) }]);
    expect(decodeFile(bytes.subarray(0, -4))).toMatchObject({ records: [], hasRest: true, isDamaged: false });
  });
});

describe('facts', () => {
  const record = (facts: JournalEntry['facts']): Buffer =>
    encodeRecord({ tag: Buffer.alloc(16), offset: 64, synced: 64 }, 1, { ...text('a'), facts });

  it('have a limited size', () => {
    expect(() => record({ text: 'x'.repeat(MAX_FACTS_BYTES) })).toThrow(RangeError);
    expect(() => record({ text: 'x'.repeat(MAX_FACTS_BYTES - 100) })).not.toThrow();
  });

  it('cannot replace the source or the arrival time', () => {
    const { records } = decodeFile(fileOf([{ ...text('a'), facts: { source: 'other', nowMicros: 1 } }]).bytes);
    expect(records).toMatchObject([{ source: 'events', nowMicros: 7, facts: {} }]);
  });
});
