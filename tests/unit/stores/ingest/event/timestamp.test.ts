/** Times of events, as shippers write them. */
import fc from 'fast-check';
import { parseTimestamp } from '#server/stores/ingest/event/timestamp';
import { ingestCases } from '../../../../support/cases/ingest';

function written(micros: number | null): string {
  if (micros === null) return 'none';
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0');
  return new Date(seconds * 1000).toISOString().replace('.000Z', `.${fraction}Z`);
}

describe('parseTimestamp', () => {
  it.each(ingestCases('timestamps.txt', (text) => Buffer.from(text)))(
    'reads or refuses $written',
    ({ input, expected }) => {
      expect(written(parseTimestamp(input.toString()))).toBe(expected);
    }
  );

  const times = fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2199-12-31T23:59:59Z'),
    noInvalidDate: true,
  });

  it('reads the same time from every way to write it', () => {
    fc.assert(
      fc.property(times, fc.nat(999_999), (time, micros) => {
        const seconds = time.toISOString().slice(0, 19);
        const fraction = String(micros).padStart(6, '0');
        const expected = `${seconds}.${fraction}Z`;
        for (const zone of ['Z', 'z', '+00:00', ' UTC', '']) {
          expect(written(parseTimestamp(`${seconds}.${fraction}${zone}`))).toBe(expected);
        }
        expect(written(parseTimestamp(`${seconds}.${fraction.replace(/0{1,5}$/, '')}Z`))).toBe(expected);
        expect(written(parseTimestamp(`${seconds}Z`))).toBe(`${seconds}.000000Z`);
      })
    );
  });
});
