import { watchRate } from '#server/http/bodies/rate-watch';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/**
 * @param send bytes that arrive at the start of each second
 * @returns the second in which the sender was found too slow, or null after five minutes
 */
function secondOfRefusal(send: (second: number) => number): number | null {
  let refused = false;
  const watch = watchRate(1024, () => (refused = true));
  for (let second = 0; second < 300; second += 1) {
    watch.note(send(second));
    jest.advanceTimersByTime(1000);
    if (refused) return second + 1;
  }
  watch.stop();
  return null;
}

it.each<[string, (second: number) => number, number | null]>([
  ['sends nothing', () => 0, 5],
  ['sends one byte and then nothing', (second) => (second === 0 ? 1 : 0), 5],
  ['sends a byte each two seconds', (second) => (second % 2 === 0 ? 1 : 0), 5],
  ['sends half of the rate', () => 512, 5],
  ['sends slightly more than the rate', () => 1100, null],
  ['sends 4 KiB each fourth second', (second) => (second % 4 === 0 ? 4200 : 0), null],
  ['sends 10 MiB at once and then nothing', (second) => (second === 0 ? 10_485_760 : 0), 10],
  ['sends 10 MiB at once and then a byte a second', (second) => (second === 0 ? 10_485_760 : 1), 11],
  ['starts after four seconds', (second) => (second === 4 ? 20_000 : second > 4 ? 1100 : 0), null],
  ['is fast for a minute and then half as fast', (second) => (second < 60 ? 100_000 : 512), 78],
])('a sender that %s', (_name, send, expected) => {
  expect(secondOfRefusal(send)).toBe(expected);
});

it('the time in which the process itself was busy does not count against a slow sender', () => {
  const refused = jest.fn();
  watchRate(1024, refused);
  // The clock moves on by 30 seconds while no timer and no data can be handled.
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  jest.advanceTimersByTime(4000);
  expect(refused).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  expect(refused).toHaveBeenCalledTimes(1);
});

it('a minimum rate of 0 accepts every sender', () => {
  const refused = jest.fn();
  watchRate(0, refused);
  jest.advanceTimersByTime(600_000);
  expect(refused).not.toHaveBeenCalled();
});
