import { ConnectionPermits } from '#server/ingest/syslog/listeners/connection-permits';

it('a listener and an address leave permits to others, and permits are released', () => {
  const permits = new ConnectionPermits({ max: 5, maxOfListener: 3, maxOfPeer: 2 });
  const taken = ['x', 'x', 'x', 'y', 'z'].map((peer) => permits.acquire('a', peer));
  const released = expect.any(Function) as unknown;
  expect(taken).toEqual([released, released, 'peer', released, 'listener']);
  expect([permits.acquire('b', 'x'), permits.acquire('b', 'x'), permits.acquire('b', 'y')]).toEqual([
    released,
    released,
    'listener',
  ]);
  (taken[0] as () => void)();
  expect(permits.acquire('b', 'y')).toEqual(released);
  expect(permits.acquire('a', 'x')).toBe('listener');
});
