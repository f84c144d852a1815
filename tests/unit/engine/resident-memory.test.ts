import { residentBytes } from '#server/engine/resident-memory';

test('reads about what the process knows of itself, where the system tells', () => {
  const own = process.memoryUsage.rss();
  const seen = residentBytes(process.pid) ?? 0;
  const expected = process.platform === 'linux' ? own : 0;
  expect(Math.abs(seen - expected)).toBeLessThanOrEqual(expected * 0.2);
});

test('a process that is gone has none', () => {
  expect(residentBytes(2 ** 30)).toBeNull();
});
