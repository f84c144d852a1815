import { residentBytes } from '#server/engine/client/supervision/resident-memory';

test('the measured memory is close to what the process reports, where the system can measure it', () => {
  const own = process.memoryUsage.rss();
  const seen = residentBytes(process.pid) ?? 0;
  const expected = process.platform === 'linux' ? own : 0;
  expect(Math.abs(seen - expected)).toBeLessThanOrEqual(expected * 0.2);
});

test('a process that has exited has no measured memory', () => {
  expect(residentBytes(2 ** 30)).toBeNull();
});
