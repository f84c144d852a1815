/**
 * The zones whose clock repeats or skips a midnight.
 *
 * @slow 15
 */
import { floorDivide, MICROS_PER_DAY } from '#compiler/time/parse-iso';
import { toLocalMicros } from '#compiler/time/time-zone';
import { midnightChanges } from '#compiler/time/zone-changes';

/** A sample: the whole list takes a minute. */
const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 12 === 3);

test.each([...zones, 'America/Havana', 'Asia/Beirut'])('the days of %s begin where the list of zones says', (name) => {
  const zone = { kind: 'named', name } as const;
  expect(midnightChanges(zone)).toEqual(scan((micros) => toLocalMicros(micros, zone) - micros));
});

test('a fixed offset has every midnight once', () => {
  expect(midnightChanges({ kind: 'offset', minutes: 90 })).toEqual({ repeated: false, skipped: false });
});

test('a zone that the platform does not list may have any days', () => {
  expect(midnightChanges({ kind: 'named', name: 'Some/Where' })).toEqual({ repeated: true, skipped: true });
});

/** From 2000 to 2030: events of logs are later, and the rules of zones are the same afterwards. */
const FIRST_DAY = 10_957n;
const LAST_DAY = 21_900n;
/** Shorter than a period of daylight saving time. */
const STEP_DAYS = 45n;

function scan(offsetAt: (micros: bigint) => bigint): ReturnType<typeof midnightChanges> {
  const offsetOn = (day: bigint): bigint => offsetAt(day * MICROS_PER_DAY);
  let repeated = false;
  let skipped = false;
  let before = offsetOn(FIRST_DAY);
  for (let day = FIRST_DAY; day < LAST_DAY; day += STEP_DAYS) {
    const after = offsetOn(day + STEP_DAYS);
    if (after !== before) {
      const changed = lastDayWith(before, day, day + STEP_DAYS, offsetOn);
      const next = offsetOn(changed + 1n);
      for (const midnight of midnightsAround(changed)) {
        const [first, second] = [midnight - before, midnight - next];
        const fits = [offsetAt(first) === before, offsetAt(second) === next];
        if (before > next) repeated ||= fits.every(Boolean);
        else skipped ||= !fits.some(Boolean);
      }
    }
    before = after;
  }
  return { repeated, skipped };
}

function lastDayWith(offset: bigint, from: bigint, to: bigint, offsetOn: (day: bigint) => bigint): bigint {
  let [low, high] = [from, to];
  while (high - low > 1n) {
    const middle = floorDivide(low + high, 2n);
    if (offsetOn(middle) === offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Local midnights, as microseconds, that a change within the day after `day` may touch. */
function midnightsAround(day: bigint): readonly bigint[] {
  return [0n, 1n, 2n].map((later) => (day + later) * MICROS_PER_DAY);
}
