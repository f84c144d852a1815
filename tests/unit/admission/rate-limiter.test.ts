import fc from 'fast-check';
import { peerOf } from '#server/admission/peer-address';
import { createRateLimiter } from '#server/admission/rate-limiter';

it('the limiter allows the quota in one window, reports what is left, and starts again after a minute', () => {
  let now = 0;
  const limiter = createRateLimiter(10, () => now);
  expect(limiter.take('a', 2)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 60 });
  now = 30_500;
  expect(limiter.take('a', 2)).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 30 });
  expect(limiter.take('a', 2)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 30 });
  expect(limiter.take('b', 2)).toMatchObject({ isAllowed: true, remaining: 1 });
  now = 59_999;
  expect(limiter.look('a', 2)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 1 });
  now = 60_000;
  expect(limiter.look('a', 2)).toMatchObject({ isAllowed: true, remaining: 2 });
  expect(limiter.take('a', 2)).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 60 });
});

it.each([0, 1e7 / 3, 4149527.217154495])('a window that begins at %d ms has sixty seconds', (now) => {
  expect(createRateLimiter(10, () => now).take('a', 2).resetSeconds).toBe(60);
});

it('the limiter never allows more than the quota in any window, and never refuses below it', () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), waitMs: fc.integer({ min: 0, max: 25_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (steps, quota) => {
      let now = 0;
      const limiter = createRateLimiter(10, () => now);
      const windows = new Map<string, { startMs: number; allowed: number }>();
      for (const { key, waitMs } of steps) {
        now += waitMs;
        const { isAllowed } = limiter.take(key, quota);
        const known = windows.get(key);
        const window = known && now - known.startMs < 60_000 ? known : { startMs: now, allowed: 0 };
        windows.set(key, window);
        expect(isAllowed).toBe(window.allowed < quota);
        if (isAllowed) window.allowed += 1;
      }
    })
  );
});

it('the limiter stores a bounded number of keys and forgets the oldest', () => {
  let now = 0;
  const limiter = createRateLimiter(3, () => now);
  for (const key of ['a', 'b', 'c']) {
    limiter.take(key, 1);
    now += 1;
  }
  limiter.take('d', 1);
  expect(['a', 'b', 'c', 'd'].map((key) => limiter.look(key, 1).isAllowed)).toEqual([true, false, false, false]);
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('the peer of %s is %s', (remoteAddress, peer) => {
  expect(peerOf({ remoteAddress })).toBe(peer);
});
