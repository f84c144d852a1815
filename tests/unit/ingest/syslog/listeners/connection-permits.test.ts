import { ConnectionPermits } from '#server/ingest/syslog/listeners/connection-permits';

it('a listener and an address leave permits to others, and permits are released', () => {
  const permits = new ConnectionPermits({ max: 5, maxOfListener: 3, maxOfPeer: 2 });
  const taken = ['x', 'x', 'x', 'y', 'z'].map((peer) => permits.acquire('a', peer));
  expect(taken.map((release) => release !== null)).toEqual([true, true, false, true, false]);
  expect(
    [permits.acquire('b', 'x'), permits.acquire('b', 'x'), permits.acquire('b', 'y')].map((release) => release !== null)
  ).toEqual([true, true, false]);
  taken[0]!();
  expect(permits.acquire('b', 'y')).not.toBeNull();
  expect(permits.acquire('a', 'x')).toBeNull();
});
