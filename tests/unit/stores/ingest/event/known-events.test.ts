/** Which events are the same: by tenant, id and time, and by the day of arrival for those without a time. */
import { KnownEvents } from '#server/stores/ingest/event/known-events';

const DAY_MICROS = 86_400_000_000;
const NOON = 20_000 * DAY_MICROS + DAY_MICROS / 2;

const OTHERS = [
  ['alone', []],
  ['beside another event with its id', [{ id: 'a', tenant: 'other', micros: 0 }]],
] as const;

describe.each(OTHERS)('an event without a time, %s', (_name, others) => {
  it.each([
    ['the same day', NOON, true],
    ['the day before', NOON - DAY_MICROS, true],
    ['the day after, by a clock that went back since', NOON + DAY_MICROS, true],
    ['two days before', NOON - 2 * DAY_MICROS, false],
    ['two days after', NOON + 2 * DAY_MICROS, false],
  ])('and one of %s', (_day, micros, isSame) => {
    const known = new KnownEvents();
    for (const event of [...others, { id: 'a', tenant: 'acme', micros }]) known.add(event);
    expect(known.has({ id: 'a', tenant: 'acme', micros: NOON, hasOwnTime: false })).toBe(isSame);
    expect(known.has({ id: 'a', tenant: 'victim', micros: NOON, hasOwnTime: false })).toBe(false);
    expect(known.has({ id: 'a', tenant: 'acme', micros: NOON, hasOwnTime: true })).toBe(micros === NOON);
  });
});

it.each(OTHERS)('an event without a tenant, %s, is not the one of a tenant with an empty name', (_name, others) => {
  const known = new KnownEvents();
  for (const event of [...others, { id: 'a', tenant: null, micros: NOON }]) known.add(event);
  for (const hasOwnTime of [true, false]) {
    expect(known.has({ id: 'a', tenant: '', micros: NOON, hasOwnTime })).toBe(false);
    expect(known.has({ id: 'a', tenant: null, micros: NOON, hasOwnTime })).toBe(true);
  }
});
