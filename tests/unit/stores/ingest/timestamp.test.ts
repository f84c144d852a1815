/** Times of events, as shippers write them. */
import { parseTimestamp } from '#server/stores/ingest/timestamp';
import { ingestCases } from '../../../support/ingest-cases';

function written(micros: number | null): string {
  if (micros === null) return 'none';
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0');
  return new Date(seconds * 1000).toISOString().replace('.000Z', `.${fraction}Z`);
}

describe('parseTimestamp', () => {
  it.each(ingestCases('timestamps.txt', (text) => Buffer.from(text)))('$written', ({ input, expected }) => {
    expect(written(parseTimestamp(input.toString()))).toBe(expected);
  });
});
